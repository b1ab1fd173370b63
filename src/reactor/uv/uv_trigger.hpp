// Trigger on uv_async_t: the one thing other threads and signal handlers may touch.
//
// Threads: fire() from anywhere, everything else on the reactor's. uv_async_send must not meet the end of its handle or
// of its loop, and a mutex is out of question in a signal handler: fires are counted in and out, and closing first shuts
// the door and then waits for those inside – a few instructions of other threads each.
#pragma once

#include <atomic>

#include "reactor/epoll/epoll_reactor.hpp"

namespace trueasync::detail {

class UvTrigger final : public TriggerEvent, public UvHandleOwner {
 public:
  explicit UvTrigger(EpollReactor& reactor);

  void fire() noexcept override;
  bool replay(Notification& result) const noexcept override;
  // A waiter left before it saw the fire: it is kept for the next (CXL-05).
  bool reclaim(Subscription& subscription) noexcept override;
  std::string describe() const override { return "trigger"; }
  std::string close_and_describe() noexcept override;

 protected:
  std::exception_ptr on_start() noexcept override;
  ~UvTrigger() override;

 private:
  static constexpr unsigned kClosed = 1u << 31;

  void on_async() noexcept;
  // No fire touches the handle or the loop any more when this returns.
  void block_new_fires() noexcept;

  mutable std::atomic<bool> fired_{false};
  std::atomic<unsigned> firing_{0};  // how many are inside fire(); kClosed: they leave the handle alone
  uv_async_t* handle_;
};

}  // namespace trueasync::detail
