// Getting a resource: the fast way, and the way with a breaker, hooks, limits and waiting.
#include <algorithm>

#include "pool/waiters.hpp"
#include "reactor/deadline_after.hpp"
#include "scheduler/face.hpp"
#include "scheduler/wait_queued.hpp"
#include "trueasync/composite_error.hpp"

namespace trueasync::detail {

namespace {

// Admitted, and not yet with a resource: whatever happens now says nothing about the service.
struct PermitGuard {
  CircuitBreaker& breaker;
  BreakerPermit permit;
  ~PermitGuard() {
    if (permit) breaker.give_back_permit(permit);
  }
};

// One whose wait has ended otherwise may not have run yet: then it is out of its queue.
PoolWaiter* still_there(PoolWaiter* waiter) noexcept { return waiter && waiter->entry.is_linked() ? waiter : nullptr; }

}  // namespace

inline PoolTicket ResourcePool::lend(PoolSlot& slot, BreakerPermit permit, Place place) noexcept {
  slot.state = SlotState::leased;
  slot.is_fresh = false;
  slot.is_leak_reported = false;
  slot.permit = permit;
  slot.since = scheduler_->last_look();
  slot.holder = scheduler_->running()->id;
  slot.place = place;
  ++acquired_;
  return {&slot, slot.resource, ++slot.number, lease_condition_};
}

// The short way; null: there is more to do than this.
[[gnu::always_inline]] inline PoolSlot* ResourcePool::take_at_once() noexcept {
  if (__builtin_expect((gates_ & kAcquireGates) || idle_.empty() || !is_home(), 0)) return nullptr;
  PoolSlot& slot = take_idle();
  if (__builtin_expect(slot.expires <= scheduler_->last_look(), 0)) {
    bury(slot);
    return nullptr;
  }
  wait_.record({});
  return &slot;
}

PoolTicket ResourcePool::acquire(const WaitLimits& limits, Place place) {
  if (PoolSlot* slot = take_at_once()) return lend(*slot, breaker_.admit(), place);
  return acquire_slowly(limits, place);
}

// Here, so that the short ways are one call.
PoolTicket PoolBase::acquire_ticket(Place place) {
  ResourcePool& pool = *core_;
  if (PoolSlot* slot = pool.take_at_once()) return pool.lend(*slot, pool.breaker_.admit(), place);
  if (pool.can_only_wait()) return pool.wait_plainly(place);
  return pool.acquire_slowly({}, place);
}

PoolTicket PoolBase::acquire_ticket(std::chrono::nanoseconds limit, Place place) {
  ResourcePool& pool = *core_;
  if (PoolSlot* slot = pool.take_at_once()) return pool.lend(*slot, pool.breaker_.admit(), place);
  return pool.acquire_slowly({.limit = limit}, place);
}

PoolTicket PoolBase::acquire_ticket(Event& token, Place place) { return core_->acquire({.token = &token}, place); }

// Nothing special, nothing idle, and no room for one more.
inline bool ResourcePool::can_only_wait() const noexcept {
  return !(gates_ & kAcquireGates) && idle_.empty() && existing_ + creating_ >= options_.max &&
         waiting_ < options_.max_waiting && is_home();
}

// The first who waits reads the clock: the last look may be long ago, after somebody has computed. The others come while
// it is recent enough.
inline TimePoint ResourcePool::wait_begins() noexcept {
  if (waiting_ == 0) first_wait_ = scheduler_->reactor().now();
  return std::max(first_wait_, scheduler_->last_look());
}

// As acquire_slowly, for when there is nothing else to do.
PoolTicket ResourcePool::wait_plainly(Place place) {
  Ref<ResourcePool> keep(this);
  Scheduler& scheduler = *scheduler_;
  const BreakerPermit permit = breaker_.admit();
  const TimePoint begun = wait_begins();
  WaitEntry entry;
  PoolWaiter waiter(*this, entry);
  WaiterCount count(*this, waiter);
  const WakeReason reason = scheduler.wait_queued(waiters_, entry, place);
  if (__builtin_expect(!waiter.slot, 0)) {
    breaker_.give_back_permit(permit);
    if (reason != WakeReason::event) raise_unless_well(scheduler, reason, nullptr);
    std::rethrow_exception(waiter.error);
  }
  --reserved_;
  wait_.record(scheduler.last_look() - begun);
  return lend(*waiter.slot, permit, place);
}

void ResourcePool::check_open() const {
  if (gates_ & kClosed) throw PoolClosed("the pool is closed" + named());
  if (gates_ & kDraining) throw PoolClosed("the pool is being drained" + named());
}

PoolTicket ResourcePool::acquire_slowly(const WaitLimits& limits, Place place) {
  Scheduler& scheduler = home("Pool::acquire");
  Ref<ResourcePool> keep(this);
  check_open();
  PermitGuard admitted{breaker_, breaker_.admit()};
  if (!admitted.permit) throw breaker_.refusal();
  const TimePoint begun = wait_begins();
  Limits all;
  all.begun = begun;
  all.token = limits.token;
  if (limits.limit) all.deadline = deadline_after(scheduler.reactor().now(), *limits.limit);
  for (Turn turn = Turn::last;; turn = Turn::first) {
    PoolSlot& slot = obtain(all, turn, place);
    if (options_.before_acquire && !slot.is_fresh && !approve(slot, all, place)) continue;
    wait_.record(scheduler.last_look() - begun);
    if (gates_ & kWatchUnwind) slot.exceptions = std::uncaught_exceptions();
    return lend(slot, std::exchange(admitted.permit, {}), place);
  }
}

// Something idle, or what comes first. It is busy then.
PoolSlot& ResourcePool::obtain(const Limits& limits, Turn turn, Place place) {
  if (is_closed()) check_open();  // while a resource was being refused
  while (!is_paused() && !idle_.empty()) {
    PoolSlot& slot = take_idle();
    slot.state = SlotState::busy;
    if (slot.expires > scheduler_->last_look()) return slot;
    bury(slot);
  }
  return wait_for_one(limits, turn, place);
}

// False: it was refused, and is gone.
bool ResourcePool::approve(PoolSlot& slot, const Limits& limits, Place place) {
  const bool is_quick = options_.before_acquire_kind == HookKind::quick;
  if (!is_quick && (limits.deadline || limits.token)) return wait_for_approval(slot, limits, place);
  std::vector<std::exception_ptr> errors;
  try {
    std::optional<Scheduler::NoSuspend> guard;
    if (is_quick) guard.emplace(*scheduler_, "a before_acquire that was said to be quick");
    if (options_.before_acquire(slot.resource, user_.get())) return true;
  } catch (...) {
    errors.push_back(std::current_exception());
  }
  ++failed_checks_;
  if (auto error = destroy(slot)) errors.push_back(std::move(error));
  if (!errors.empty()) std::rethrow_exception(composed(std::move(errors)));
  return false;
}

// The same in a coroutine of its own, for one who waits with a limit: a hook that takes too long must not hold it up,
// and goes on without it.
void ResourcePool::run_approval(PoolSlot* slot) noexcept {
  bool is_good = false;
  std::exception_ptr error;
  try {
    is_good = options_.before_acquire(slot->resource, user_.get());
  } catch (...) {
    error = not_cancelled(std::current_exception());
  }
  slot->task = {};
  PoolWaiter* waiter = still_there(std::exchange(slot->checked_for, nullptr));
  if (is_good) return waiter ? serve_with(*waiter, *slot) : hand_on(*slot);
  ++failed_checks_;
  if (waiter) {
    waiter->error = std::move(error);
    tell(*waiter);
  }
  run_burial(slot);
}

// It never began.
void ResourcePool::abandon_approval(PoolSlot* slot) noexcept {
  slot->task = {};
  if (PoolWaiter* waiter = still_there(std::exchange(slot->checked_for, nullptr))) {
    waiter->error = cancelled_error();
    tell(*waiter);
  }
  hand_on(*slot);
}

PoolTicket ResourcePool::try_acquire(Place place) {
  Scheduler& scheduler = home("Pool::try_acquire");
  Ref<ResourcePool> keep(this);
  check_open();
  PermitGuard admitted{breaker_, breaker_.admit()};
  if (!admitted.permit) throw breaker_.refusal();
  while (!is_paused() && !idle_.empty()) {
    PoolSlot& slot = take_idle();
    slot.state = SlotState::busy;
    bool is_good = slot.expires > scheduler.last_look();
    if (is_good && options_.before_acquire) {
      Scheduler::NoSuspend guard(scheduler, "Pool::try_acquire");
      try {
        is_good = options_.before_acquire(slot.resource, user_.get());
      } catch (...) {
        ++failed_checks_;
        bury(slot);
        throw;
      }
      if (!is_good) ++failed_checks_;
    }
    if (is_good) {
      wait_.record({});
      if (gates_ & kWatchUnwind) slot.exceptions = std::uncaught_exceptions();
      return lend(slot, std::exchange(admitted.permit, {}), place);
    }
    bury(slot);
  }
  if (creating_ == 0 && has_room()) start_creation();  // for the next time
  return {};
}

}  // namespace trueasync::detail
