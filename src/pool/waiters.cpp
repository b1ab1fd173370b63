// Those who wait: strictly in the order they came. Whoever is woken has been served (R1): the resource is reserved for it,
// and goes to the next if it leaves before it runs.
#include "base/check.hpp"
#include "pool/resource_pool.hpp"
#include "scheduler/face.hpp"

namespace trueasync::detail {

PoolWaiter::PoolWaiter(ResourcePool& pool) noexcept {
  entries[0].event = &pool;
  entries[0].owner = this;
}

// Suspends until it is served, in a queue or not; `queue` is where the entry is to be linked, null if it is already.
void ResourcePool::park(PoolWaiter& waiter, WaiterList* queue, const Limits& limits, Place place) {
  Scheduler& scheduler = *scheduler_;
  const TimePoint since = scheduler.last_look();
  WakeReason reason;
  if (queue) {
    reason = scheduler.wait_queued(*queue, waiter.entry(), place);
    if (__builtin_expect(reason != WakeReason::event && !waiter.entry().fired, 0)) {
      raise_unless_well(scheduler, reason, nullptr);
    }
  } else {
    WaitRequest request;
    request.entries = std::span(waiter.entries, limits.token ? 2 : 1);
    if (limits.token) {
      waiter.entries[1].event = limits.token;
      waiter.entries[1].is_token = true;
    }
    request.deadline = limits.deadline;
    reason = scheduler.wait(request, place);
    if (reason == WakeReason::timed_out) raise_timeout(since, !waiter.is_counted);
    if (reason != WakeReason::event && !waiter.entry().fired) raise_unless_well(scheduler, reason, &request);
  }
  if (waiter.error) std::rethrow_exception(waiter.error);
  if (!waiter.slot) return;
  --reserved_;
  waiter.slot->state = SlotState::busy;
}

PoolSlot& ResourcePool::wait_for_one(const Limits& limits, Turn turn, Place place) {
  if (turn == Turn::last && waiting_ >= options_.max_waiting) {
    throw PoolOverloaded("as many wait for a resource as may" + named() + ": " + std::to_string(waiting_));
  }
  PoolWaiter waiter(*this);
  struct Leave {
    ResourcePool& pool;
    PoolWaiter& waiter;
    ~Leave() {
      if (waiter.entry().is_linked()) waiter.entry().unlink();
      if (!waiter.is_counted) return;
      --pool.waiting_;
      pool.show_pause();
      pool.changed();
    }
  } leave{*this, waiter};
  waiter.is_counted = true;
  ++waiting_;
  // Most often there is nothing to do but to wait.
  if (turn == Turn::last && !limits.deadline && !limits.token && !wants_creation() && !pause_timer_.is_armed()) {
    park(waiter, &waiters_, limits, place);
  } else {
    link(waiter, turn);
    replenish();
    park(waiter, nullptr, limits, place);
  }
  TRUEASYNC_CHECK(waiter.slot != nullptr, "a waiter of a pool was woken with nothing");
  return *waiter.slot;
}

void ResourcePool::link(PoolWaiter& waiter, Turn turn) noexcept {
  if (turn == Turn::last) return waiters_.push_back(waiter.entry());
  WaiterList all;
  all.push_back(waiter.entry());
  all.splice_back(waiters_);
  waiters_.splice_back(all);
}

bool ResourcePool::wait_for_approval(PoolSlot& slot, const Limits& limits, Place place) {
  PoolWaiter waiter(*this);
  WaiterList alone;
  struct Leave {
    PoolSlot& slot;
    PoolWaiter& waiter;
    ~Leave() {
      if (waiter.entry().is_linked()) waiter.entry().unlink();
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
  alone.push_back(waiter.entry());
  park(waiter, nullptr, limits, place);
  return waiter.slot != nullptr;
}

PoolWaiter* ResourcePool::oldest() noexcept {
  WaitEntry* entry = waiters_.front();
  return entry ? static_cast<PoolWaiter*>(entry->owner) : nullptr;
}

void ResourcePool::serve_with(PoolWaiter& waiter, PoolSlot& slot) noexcept {
  slot.state = SlotState::reserved;
  ++reserved_;
  waiter.slot = &slot;
  tell(waiter);
}

// It leaves its queue and is woken.
void ResourcePool::tell(PoolWaiter& waiter) noexcept {
  waiter.entry().unlink();
  if (std::exchange(waiter.is_counted, false)) --waiting_;
  serve(waiter.entry());
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
