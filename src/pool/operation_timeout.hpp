// OperationTimeout: cancels the current coroutine if `timeout` expires before the end of its scope. No effect without a
// timeout.
#pragma once

#include "pool/resource_pool.hpp"
#include "reactor/timer_queue.hpp"

namespace trueasync::detail {

class OperationTimeout final : Timer {
 public:
  OperationTimeout(Scheduler& scheduler, std::optional<Duration> timeout)
      : Timer(&OperationTimeout::on_due), scheduler_(scheduler), block_(*scheduler.running()) {
    Reactor& reactor = scheduler.reactor();
    if (timeout) reactor.timers().arm(*this, deadline_after(reactor.now(), *timeout));
  }
  ~OperationTimeout() { scheduler_.reactor().timers().cancel(*this); }
  bool has_expired() const noexcept { return has_expired_; }

 private:
  static void on_due(Timer& self) noexcept {
    auto& timeout = static_cast<OperationTimeout&>(self);
    timeout.has_expired_ = true;
    timeout.scheduler_.cancel(timeout.block_);
  }

  Scheduler& scheduler_;
  ControlBlock& block_;
  bool has_expired_ = false;
};

}  // namespace trueasync::detail
