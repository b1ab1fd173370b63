// Closing, draining, pausing, resizing.
#include "pool/resource_pool.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/composite_error.hpp"

namespace trueasync::detail {

// POOL-08. Every destructor is called, and none of their errors is lost (PO-12).
void ResourcePool::close() {
  if (is_closed()) return;
  if (Scheduler::current() && !is_on_owner_thread()) require_owner_thread("Pool::close");
  Ref<ResourcePool> keep(this);
  set_flag(kClosed, true);
  upkeep_timer_.cancel();
  backoff_timer_.cancel();
  const auto reason = std::make_exception_ptr(PoolClosedError("the pool was closed" + named()));
  fail_all_waiters(reason);
  Event::close(reason);
  cancel_work();
  std::vector<std::exception_ptr> errors;
  while (!idle_.empty()) {
    if (auto error = destroy(*idle_.pop_front())) errors.push_back(std::move(error));
  }
  notify_change();
  if (!errors.empty()) std::rethrow_exception(combine_errors(std::move(errors)));
}

// What is under way for a pool that needs it no more. Destructors go on.
void ResourcePool::cancel_work() noexcept {
  if (!is_on_owner_thread()) return;
  if (upkeep_ && Access::block(upkeep_) != scheduler_->running()) scheduler_->cancel(*Access::block(upkeep_));
  slots_.for_each([&](PoolSlot& slot) {
    const bool is_creation = slot.task && slot.state == SlotState::none;
    if (is_creation && Access::block(slot.task) != scheduler_->running()) scheduler_->cancel(*Access::block(slot.task));
  });
}

std::size_t ResourcePool::drain(WaitOptions options, SourceLocation location) {
  Scheduler& scheduler = require_owner_thread("Pool::drain");
  Ref<ResourcePool> keep(this);
  options = with_fixed_deadline(options);
  struct Gate {
    ResourcePool& pool;
    ~Gate() { pool.set_flag(kDraining, false); }
  } gate{*this};
  set_flag(kDraining, true);
  while (!is_closed() && active_count() + waiting_ + creating_ != 0) {
    EventWait wait(scheduler, changed_, options);
    const WakeReason reason = scheduler.wait(wait.request, location);
    if (reason == WakeReason::timed_out) break;
    throw_wait_error(scheduler, reason, &wait.request);
  }
  const std::size_t left = active_count();
  close();
  return left;
}

void ResourcePool::pause() noexcept { set_flag(kPaused, true); }

void ResourcePool::resume() noexcept {
  set_flag(kPaused, false);
  grant_idle();
  replenish();
  if (!idle_.empty() && has_subscribers()) notify({});
}

void ResourcePool::resize(std::size_t min, std::size_t max) {
  require_owner_thread("Pool::resize");
  check_sizes(min, max);
  check_open();
  Ref<ResourcePool> keep(this);
  options_.min = min;
  options_.max = max;
  set_flag(kOverMax, existing_ + creating_ > max);
  std::vector<std::exception_ptr> errors;
  while (existing_ + creating_ > options_.max && !idle_.empty()) {
    if (auto error = destroy(*idle_.pop_front())) errors.push_back(std::move(error));
  }
  replenish();
  if (!errors.empty()) std::rethrow_exception(combine_errors(std::move(errors)));
}

void ResourcePool::abandon() noexcept {
  try {
    close();
  } catch (...) {
    report(std::current_exception());
  }
  await_work();
  if (existing_ != 0) {
    owner_released_ = true;  // our reference is theirs now
  } else {
    release();
  }
}

}  // namespace trueasync::detail
