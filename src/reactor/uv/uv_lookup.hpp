// Lookups on uv_getaddrinfo and uv_getnameinfo.
//
// The request libuv works on is an object of its own, freed by its completion (DN-01, R2); the event and the request know
// each other only while somebody waits.
#pragma once

#include "reactor/epoll/epoll_reactor.hpp"
#include "reactor/lookup_event.hpp"

namespace trueasync::detail {

class UvLookupRequest;

class UvLookup final : public LookupEvent, public ReactorObserver {
 public:
  UvLookup(EpollReactor& reactor, LookupQuery query);

  const LookupQuery& query() const noexcept { return query_; }
  std::string describe() const override;
  // The request is over. It has been forgotten by then.
  void on_answer(LookupResult result) noexcept;
  void on_reactor_closed() noexcept override;
  // Lets those who wait begin, as far as the budget goes.
  static void start_queued(EpollReactor& reactor) noexcept;

 protected:
  ~UvLookup() override;
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;

 private:
  void begin() noexcept;
  void cancel_request() noexcept;

  EpollReactor* reactor_;
  LookupQuery query_;
  UvLookupQueueEntry place_{*this};
  UvLookupRequest* request_ = nullptr;
};

}  // namespace trueasync::detail
