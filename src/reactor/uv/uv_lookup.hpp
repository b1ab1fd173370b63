// UvLookup: name lookups with uv_getaddrinfo and uv_getnameinfo. The libuv request is a separate object that is freed
// by its completion. The event and the request refer to each other only while a coroutine waits.
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
  // The request has completed and is already deleted.
  void on_result(LookupResult result) noexcept;
  void on_reactor_closed() noexcept override;
  // Starts queued lookups up to the concurrency limit.
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
  UvLookupQueueEntry queue_entry_{*this};
  UvLookupRequest* request_ = nullptr;
};

}  // namespace trueasync::detail
