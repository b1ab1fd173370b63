// Closing, draining, pausing, resizing.
#include "pool/resource_pool.hpp"
#include "reactor/deadline_after.hpp"
#include "scheduler/face.hpp"
#include "trueasync/composite_error.hpp"

namespace trueasync::detail {

// POOL-08. Every destructor is called, and none of their errors is lost (PO-12).
void ResourcePool::close() {
  if (is_closed()) return;
  if (Scheduler::current() && !is_home()) home("Pool::close");
  Ref<ResourcePool> keep(this);
  set_gate(kClosed, true);
  upkeep_timer_.cancel();
  pause_timer_.cancel();
  const auto reason = std::make_exception_ptr(PoolClosed("the pool was closed" + named()));
  fail_all(reason);
  Event::close(reason);
  cancel_work();
  std::vector<std::exception_ptr> errors;
  while (!idle_.empty()) {
    if (auto error = destroy(*idle_.pop_front())) errors.push_back(std::move(error));
  }
  changed();
  if (!errors.empty()) std::rethrow_exception(composed(std::move(errors)));
}

// What is under way for a pool that needs it no more. Destructors go on.
void ResourcePool::cancel_work() noexcept {
  if (!is_home()) return;
  if (upkeep_ && upkeep_.block() != scheduler_->running()) scheduler_->cancel(*upkeep_.block());
  slots_.for_each([&](PoolSlot& slot) {
    const bool is_creation = slot.task && slot.state == SlotState::none;
    if (is_creation && slot.task.block() != scheduler_->running()) scheduler_->cancel(*slot.task.block());
  });
}

std::size_t ResourcePool::drain(std::optional<std::chrono::nanoseconds> limit, Place place) {
  Scheduler& scheduler = home("Pool::drain");
  Ref<ResourcePool> keep(this);
  std::optional<TimePoint> deadline;
  if (limit) deadline = deadline_after(scheduler.reactor().now(), *limit);
  struct Gate {
    ResourcePool& pool;
    ~Gate() { pool.set_gate(kDraining, false); }
  } gate{*this};
  set_gate(kDraining, true);
  while (!is_closed() && active_count() + waiting_ + creating_ != 0) {
    WaitEntry entry(changed_);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    request.deadline = deadline;
    const WakeReason reason = scheduler.wait(request, place);
    if (reason == WakeReason::timed_out) break;
    raise_unless_well(scheduler, reason, &request);
  }
  const std::size_t left = active_count();
  close();
  return left;
}

void ResourcePool::pause() noexcept { set_gate(kPaused, true); }

void ResourcePool::resume() noexcept {
  set_gate(kPaused, false);
  serve_idle();
  replenish();
  if (!idle_.empty() && has_subscribers()) notify({});
}

void ResourcePool::resize(std::size_t min, std::size_t max) {
  home("Pool::resize");
  check_sizes(min, max);
  check_open();
  Ref<ResourcePool> keep(this);
  options_.min = min;
  options_.max = max;
  set_gate(kOverMax, existing_ + creating_ > max);
  std::vector<std::exception_ptr> errors;
  while (existing_ + creating_ > options_.max && !idle_.empty()) {
    if (auto error = destroy(*idle_.pop_front())) errors.push_back(std::move(error));
  }
  replenish();
  if (!errors.empty()) std::rethrow_exception(composed(std::move(errors)));
}

void ResourcePool::abandon() noexcept {
  try {
    close();
  } catch (...) {
    report(std::current_exception());
  }
  await_work();
  if (existing_ != 0) {
    is_orphan_ = true;  // our reference is theirs now
  } else {
    release();
  }
}

}  // namespace trueasync::detail
