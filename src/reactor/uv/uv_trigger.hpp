// UvTrigger: a TriggerEvent on uv_async_t.
//
// uv_async_send must not run during or after the close of its handle or loop, and fire() cannot take a mutex because it
// runs in signal handlers. So fire() calls are counted. A close first sets kClosed and then waits for the calls in
// progress, which last a few instructions.
//
// Thread safety: fire() on any thread and in signal handlers, everything else on the reactor's thread.
#pragma once

#include <atomic>

#include "reactor/epoll/epoll_reactor.hpp"

namespace trueasync::detail {

class UvTrigger final : public TriggerEvent, public UvHandleOwner {
 public:
  explicit UvTrigger(EpollReactor& reactor);

  void fire() noexcept override;
  bool replay(Notification& result) const noexcept override;
  // A waiter was cancelled before it saw the fire: the fire stays pending for the next waiter.
  bool reclaim(Subscription& subscription) noexcept override;
  std::string describe() const override { return "trigger"; }
  std::string close_and_describe() noexcept override;

 protected:
  std::exception_ptr on_start() noexcept override;
  ~UvTrigger() override;

 private:
  static constexpr unsigned kClosed = 1u << 31;

  void on_async() noexcept;
  // After this call no fire() accesses the handle or the loop.
  void block_new_fires() noexcept;

  mutable std::atomic<bool> fired_{false};
  std::atomic<unsigned> firing_{0};  // number of fire() calls in progress; kClosed: they must not use the handle
  uv_async_t* handle_;
};

}  // namespace trueasync::detail
