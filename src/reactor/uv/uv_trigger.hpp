// Trigger on uv_async_t: the one thing other threads and signal handlers may touch.
#pragma once

#include <atomic>

#include "reactor/uv/uv_reactor.hpp"

namespace trueasync::detail {

class UvTrigger final : public TriggerEvent, public UvOwner {
 public:
  explicit UvTrigger(UvReactor& reactor);

  void fire() noexcept override;
  bool replay(Notification& result) const noexcept override;
  // A waiter left before it saw the fire: it is kept for the next (CXL-05).
  bool reclaim(Subscription& subscription) noexcept override;
  std::string describe() const override { return "trigger"; }
  std::string on_reactor_closed() noexcept override;

 protected:
  ~UvTrigger() override;

 private:
  void on_async() noexcept;

  mutable std::atomic<bool> fired_{false};
  uv_async_t* handle_;
};

}  // namespace trueasync::detail
