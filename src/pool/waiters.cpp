// Those who wait: strictly in the order they came. Whoever is woken has been served (R1): the resource is reserved for it,
// and goes to the next if it leaves before it runs.
#include "pool/waiters.hpp"
#include "base/check.hpp"
#include "scheduler/face.hpp"

namespace trueasync::detail {

// Suspends one who is in its queue until it is served. `entries` has room for a token behind the waiter's own.
void ResourcePool::park(PoolWaiter& waiter, std::span<WaitEntry, 2> entries, const Limits& limits, Place place) {
  Scheduler& scheduler = *scheduler_;
  WaitRequest request;
  request.entries = entries.first(limits.token ? 2 : 1);
  if (limits.token) {
    entries[1].event = limits.token;
    entries[1].is_token = true;
  }
  request.deadline = limits.deadline;
  const WakeReason reason = scheduler.wait(request, place);
  if (reason == WakeReason::timed_out) raise_timeout(limits.begun, !waiter.is_counted);
  if (reason != WakeReason::event && !waiter.entry.fired) raise_unless_well(scheduler, reason, &request);
  if (waiter.error) std::rethrow_exception(waiter.error);
  if (!waiter.slot) return;
  --reserved_;
  waiter.slot->state = SlotState::busy;
}

PoolSlot& ResourcePool::wait_for_one(const Limits& limits, Turn turn, Place place) {
  if (turn == Turn::last && waiting_ >= options_.max_waiting) {
    throw PoolOverloaded("as many wait for a resource as may" + named() + ": " + std::to_string(waiting_));
  }
  WaitEntry entries[2];
  PoolWaiter waiter(*this, entries[0]);
  WaiterCount count(*this, waiter);
  link(waiter, turn);
  replenish();
  park(waiter, entries, limits, place);
  TRUEASYNC_CHECK(waiter.slot != nullptr, "a waiter of a pool was woken with nothing");
  return *waiter.slot;
}

void ResourcePool::left(PoolWaiter& waiter) noexcept {
  if (waiter.entry.is_linked()) waiter.entry.unlink();  // the wait was refused
  --waiting_;
  show_pause();
  changed();
}

void ResourcePool::link(PoolWaiter& waiter, Turn turn) noexcept {
  ListHook* first = waiters_.front();
  if (turn == Turn::last || !first) return waiters_.push_back(waiter.entry);
  ListHook& hook = waiter.entry;
  hook.prev = first->prev;
  hook.next = first;
  first->prev->next = &hook;
  first->prev = &hook;
}

bool ResourcePool::wait_for_approval(PoolSlot& slot, const Limits& limits, Place place) {
  WaitEntry entries[2];
  PoolWaiter waiter(*this, entries[0]);
  WaiterList alone;
  struct Leave {
    PoolSlot& slot;
    PoolWaiter& waiter;
    ~Leave() {
      if (waiter.entry.is_linked()) waiter.entry.unlink();
      if (slot.checked_for == &waiter) slot.checked_for = nullptr;
    }
  } leave{slot, waiter};
  try {
    slot.task = start_work("pool: before_acquire", &slot, &ResourcePool::run_approval, &ResourcePool::abandon_approval);
  } catch (...) {
    hand_on(slot);
    throw;
  }
  slot.checked_for = &waiter;
  alone.push_back(waiter.entry);
  park(waiter, entries, limits, place);
  return waiter.slot != nullptr;
}

void ResourcePool::fail_one(std::exception_ptr error) noexcept {
  PoolWaiter* waiter = oldest();
  if (!waiter) return;
  waiter->error = std::move(error);
  tell(*waiter);
}

void ResourcePool::fail_all(const std::exception_ptr& error) noexcept {
  while (!waiters_.empty()) fail_one(error);
}

void ResourcePool::serve_idle() noexcept {
  while (!idle_.empty() && !waiters_.empty()) serve_with(*oldest(), take_idle());
}

// A waiter that was woken leaves without what it was promised (PO-02).
bool ResourcePool::reclaim(Subscription& subscription) noexcept {
  auto* waiter = static_cast<PoolWaiter*>(static_cast<WaitEntry&>(subscription).owner);
  if (!waiter) return true;  // of those who only watch
  waiter->error = nullptr;
  if (PoolSlot* slot = std::exchange(waiter->slot, nullptr)) {
    --reserved_;
    slot->state = SlotState::busy;
    hand_on(*slot);
  }
  return true;
}

}  // namespace trueasync::detail
