// close(), drain(), pause(), resume(), resize() and abandon().
#include "pool/resource_pool.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

// Calls every destructor; several errors are combined into one.
void ResourcePool::close() {
  if (is_closed()) return;
  if (Scheduler::current() && !is_on_owner_thread()) require_owner_thread("Pool::close");
  Ref<ResourcePool> keep_alive(this);
  set_flag(kClosed, true);
  maintenance_timer_.cancel();
  backoff_timer_.cancel();
  const auto reason = std::make_exception_ptr(PoolClosedError(label() + ": closed while waiting"));
  fail_all_waiters(reason);
  Event::close(reason);
  cancel_background_work();
  std::vector<std::exception_ptr> errors;
  while (!idle_.empty()) {
    if (auto error = destroy(*idle_.pop_front())) errors.push_back(std::move(error));
  }
  notify_change();
  if (!errors.empty()) std::rethrow_exception(combine_errors(std::move(errors)));
}

// Cancels maintenance and creations in flight. Destructors continue.
void ResourcePool::cancel_background_work() noexcept {
  if (!is_on_owner_thread()) return;
  if (maintenance_ && Access::block(maintenance_) != scheduler_->running())
    scheduler_->cancel(*Access::block(maintenance_));
  slots_.for_each([&](PoolSlot& slot) {
    const bool is_creation = slot.task && slot.state == SlotState::none;
    if (is_creation && Access::block(slot.task) != scheduler_->running()) scheduler_->cancel(*Access::block(slot.task));
  });
}

std::size_t ResourcePool::drain(WaitOptions options, SourceLocation location) {
  Scheduler& scheduler = require_owner_thread("Pool::drain");
  Ref<ResourcePool> keep_alive(this);
  options = with_fixed_deadline(options);
  struct DrainingGuard {
    ResourcePool& pool;
    ~DrainingGuard() { pool.set_flag(kDraining, false); }
  } guard{*this};
  set_flag(kDraining, true);
  while (!is_closed() && active_count() + waiting_ + creating_ != 0) {
    EventWait wait(scheduler, changed_, options);
    const WakeReason reason = scheduler.wait(wait.request, location);
    if (reason == WakeReason::timed_out) break;
    throw_wait_error(scheduler, reason, &wait.request);
  }
  const std::size_t outstanding = active_count();
  close();
  return outstanding;
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
  Ref<ResourcePool> keep_alive(this);
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
  await_background_work();
  if (existing_ != 0) {
    owner_released_ = true;  // the leased resources take over the owner's reference
  } else {
    release();
  }
}

}  // namespace trueasync::detail
