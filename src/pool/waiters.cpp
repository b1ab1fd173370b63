// Those who wait: strictly in the order they came. Whoever is woken has been served (R1): the resource is reserved for it,
// and goes to the next if it leaves before it runs.
#include "pool/waiters.hpp"
#include "base/check.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync::detail {

// Suspends one who is in its queue until it is served. `entries` has room for a token behind the waiter's own.
void ResourcePool::park(PoolWaiter& waiter, std::span<WaitEntry, 2> entries, const AcquireDeadline& limits,
                        SourceLocation location) {
  Scheduler& scheduler = *scheduler_;
  WaitRequest request;
  request.entries = entries.first(limits.token ? 2 : 1);
  if (limits.token) {
    entries[1].event = limits.token;
    entries[1].is_token = true;
  }
  request.deadline = limits.deadline;
  const WakeReason reason = scheduler.wait(request, location);
  if (reason == WakeReason::timed_out) throw_timeout(limits.begun, !waiter.is_counted);
  if (reason != WakeReason::event && !waiter.entry.fired) throw_wait_error(scheduler, reason, &request);
  if (waiter.error) std::rethrow_exception(waiter.error);
  if (!waiter.slot) return;
  --reserved_;
  waiter.slot->state = SlotState::busy;
}

PoolSlot& ResourcePool::wait_for_resource(const AcquireDeadline& limits, QueuePosition turn, SourceLocation location) {
  if (turn == QueuePosition::back && waiting_ >= options_.max_waiting) {
    throw PoolOverloadedError("as many wait for a resource as may" + named() + ": " + std::to_string(waiting_));
  }
  WaitEntry entries[2];
  PoolWaiter waiter(*this, entries[0]);
  WaiterCount count(*this, waiter);
  link(waiter, turn);
  replenish();
  park(waiter, entries, limits, location);
  TRUEASYNC_CHECK(waiter.slot != nullptr, "a waiter of a pool was woken with nothing");
  return *waiter.slot;
}

void ResourcePool::remove_waiter(PoolWaiter& waiter) noexcept {
  if (waiter.entry.is_linked()) waiter.entry.unlink();  // the wait was refused
  --waiting_;
  update_backoff_liveness();
  notify_change();
}

void ResourcePool::link(PoolWaiter& waiter, QueuePosition turn) noexcept {
  ListHook* first = waiters_.front();
  if (turn == QueuePosition::back || !first) return waiters_.push_back(waiter.entry);
  ListHook& hook = waiter.entry;
  hook.prev = first->prev;
  hook.next = first;
  first->prev->next = &hook;
  first->prev = &hook;
}

bool ResourcePool::wait_for_before_acquire(PoolSlot& slot, const AcquireDeadline& limits, SourceLocation location) {
  WaitEntry entries[2];
  PoolWaiter waiter(*this, entries[0]);
  WaiterList alone;
  struct Leave {
    PoolSlot& slot;
    PoolWaiter& waiter;
    ~Leave() {
      if (waiter.entry.is_linked()) waiter.entry.unlink();
      if (slot.check_waiter == &waiter) slot.check_waiter = nullptr;
    }
  } leave{slot, waiter};
  try {
    slot.task = spawn_background("pool: before_acquire", &slot, &ResourcePool::run_before_acquire_task,
                                 &ResourcePool::on_before_acquire_not_started);
  } catch (...) {
    reuse_or_destroy(slot);
    throw;
  }
  slot.check_waiter = &waiter;
  alone.push_back(waiter.entry);
  park(waiter, entries, limits, location);
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

// A waiter that was woken leaves without what it was promised (PO-02).
bool ResourcePool::reclaim(Subscription& subscription) noexcept {
  auto* waiter = static_cast<PoolWaiter*>(static_cast<WaitEntry&>(subscription).owner);
  if (!waiter) return true;  // of those who only watch
  waiter->error = nullptr;
  if (PoolSlot* slot = std::exchange(waiter->slot, nullptr)) {
    --reserved_;
    slot->state = SlotState::busy;
    reuse_or_destroy(*slot);
  }
  return true;
}

}  // namespace trueasync::detail
