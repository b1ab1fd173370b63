// Lookups on uv_getaddrinfo and uv_getnameinfo.
//
// The request libuv works on is an object of its own, freed by its completion (DN-01, R2); the event and the request know
// each other only while somebody waits.
#pragma once

#include "reactor/lookup_event.hpp"
#include "reactor/uv/uv_reactor.hpp"

namespace trueasync::detail {

class UvLookupRequest;

class UvLookup final : public LookupEvent, public ReactorGuest {
 public:
  UvLookup(UvReactor& reactor, LookupQuery query);

  const LookupQuery& query() const noexcept { return query_; }
  std::string describe() const override;
  // The request is over. It has been forgotten by then.
  void on_answer(LookupResult result) noexcept;
  void on_reactor_gone() noexcept override;
  // Lets those who wait begin, as far as the budget goes.
  static void begin_waiting(UvReactor& reactor) noexcept;

 protected:
  ~UvLookup() override;
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;

 private:
  void begin() noexcept;
  void let_go() noexcept;

  UvReactor* reactor_;
  LookupQuery query_;
  UvLookupPlace place_{*this};
  UvLookupRequest* request_ = nullptr;
};

}  // namespace trueasync::detail
