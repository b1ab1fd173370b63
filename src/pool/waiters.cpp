// Waiters get resources in FIFO order. A waiter is woken with a reserved resource or an error. If it is cancelled or
// times out before it runs, the reservation moves to the next waiter.
#include "pool/waiters.hpp"
#include "base/check.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync::detail {

// Suspends a queued waiter until it is woken. entries[0] is the waiter's, entries[1] is for the token.
void ResourcePool::park(PoolWaiter& waiter, std::span<WaitEntry, 2> entries, const AcquireWait& wait,
                        SourceLocation location) {
  Scheduler& scheduler = *scheduler_;
  WaitRequest request;
  request.entries = entries.first(wait.token ? 2 : 1);
  if (wait.token) {
    entries[1].event = wait.token;
    entries[1].is_token = true;
  }
  request.deadline = wait.deadline;
  const WakeReason reason = scheduler.wait(request, location);
  if (reason == WakeReason::timed_out) throw_timeout(wait.start_time, !waiter.is_counted);
  if (reason != WakeReason::event && !waiter.entry.fired) throw_wait_error(scheduler, reason, &request);
  if (waiter.error) std::rethrow_exception(waiter.error);
  if (!waiter.slot) return;
  --reserved_;
  waiter.slot->state = SlotState::busy;
}

PoolSlot& ResourcePool::wait_for_resource(const AcquireWait& wait, QueuePosition position, SourceLocation location) {
  if (position == QueuePosition::back && waiting_ >= options_.max_waiting) {
    throw PoolOverloadedError(label() + ": wait queue is full (" + std::to_string(waiting_) +
                              " waiters); raise PoolOptions::max_waiting");
  }
  WaitEntry entries[2];
  PoolWaiter waiter(*this, entries[0]);
  WaiterCount count(*this, waiter);
  link(waiter, position);
  replenish();
  park(waiter, entries, wait, location);
  TRUEASYNC_CHECK(waiter.slot != nullptr, "pool waiter woken without a resource or an error");
  return *waiter.slot;
}

void ResourcePool::remove_waiter(PoolWaiter& waiter) noexcept {
  if (waiter.entry.is_linked()) waiter.entry.unlink();  // the wait was interrupted
  --waiting_;
  update_backoff_liveness();
  notify_change();
}

void ResourcePool::link(PoolWaiter& waiter, QueuePosition position) noexcept {
  ListHook* first = waiters_.front();
  if (position == QueuePosition::back || !first) return waiters_.push_back(waiter.entry);
  ListHook& hook = waiter.entry;
  hook.prev = first->prev;
  hook.next = first;
  first->prev->next = &hook;
  first->prev = &hook;
}

bool ResourcePool::wait_for_before_acquire(PoolSlot& slot, const AcquireWait& wait, SourceLocation location) {
  WaitEntry entries[2];
  PoolWaiter waiter(*this, entries[0]);
  WaiterList own_queue;  // not the pool's queue: this waiter already has a resource
  struct RemoveGuard {
    PoolSlot& slot;
    PoolWaiter& waiter;
    ~RemoveGuard() {
      if (waiter.entry.is_linked()) waiter.entry.unlink();
      if (slot.check_waiter == &waiter) slot.check_waiter = nullptr;
    }
  } guard{slot, waiter};
  try {
    slot.task = spawn_background("pool: before_acquire", &slot, &ResourcePool::run_before_acquire_task,
                                 &ResourcePool::on_before_acquire_not_started);
  } catch (...) {
    reuse_or_destroy(slot);
    throw;
  }
  slot.check_waiter = &waiter;
  own_queue.push_back(waiter.entry);
  park(waiter, entries, wait, location);
  return waiter.slot != nullptr;
}

void ResourcePool::fail_oldest_waiter(std::exception_ptr error) noexcept {
  PoolWaiter* waiter = oldest();
  if (!waiter) return;
  waiter->error = std::move(error);
  wake(*waiter);
}

void ResourcePool::fail_all_waiters(const std::exception_ptr& error) noexcept {
  while (!waiters_.empty()) fail_oldest_waiter(error);
}

void ResourcePool::grant_idle() noexcept {
  while (!idle_.empty() && !waiters_.empty()) grant(*oldest(), take_idle());
}

// Takes the reservation back from a woken waiter that stops waiting before it runs.
bool ResourcePool::reclaim(Subscription& subscription) noexcept {
  auto* waiter = static_cast<PoolWaiter*>(static_cast<WaitEntry&>(subscription).owner);
  if (!waiter) return true;  // a subscriber of the pool event: it has no reservation
  waiter->error = nullptr;
  if (PoolSlot* slot = std::exchange(waiter->slot, nullptr)) {
    --reserved_;
    slot->state = SlotState::busy;
    reuse_or_destroy(*slot);
  }
  return true;
}

}  // namespace trueasync::detail
