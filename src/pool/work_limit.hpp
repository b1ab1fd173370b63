// Cancels the coroutine it was made in when its time is over. 0: never.
#pragma once

#include "pool/resource_pool.hpp"
#include "reactor/deadline_after.hpp"

namespace trueasync::detail {

class WorkLimit final : Deadline {
 public:
  WorkLimit(Scheduler& scheduler, std::chrono::nanoseconds limit)
      : Deadline(&WorkLimit::on_due), scheduler_(scheduler), block_(*scheduler.running()) {
    Reactor& reactor = scheduler.reactor();
    if (limit.count() > 0) reactor.deadlines().arm(*this, deadline_after(reactor.now(), limit));
  }
  ~WorkLimit() { scheduler_.reactor().deadlines().cancel(*this); }
  bool has_passed() const noexcept { return has_passed_; }

 private:
  static void on_due(Deadline& self) noexcept {
    auto& limit = static_cast<WorkLimit&>(self);
    limit.has_passed_ = true;
    limit.scheduler_.cancel(limit.block_);
  }

  Scheduler& scheduler_;
  ControlBlock& block_;
  bool has_passed_ = false;
};

}  // namespace trueasync::detail
