// Getting a resource: the fast way, and the way with a breaker, hooks, limits and waiting.
#include <algorithm>

#include "pool/waiters.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "scheduler/fast_path.hpp"
#include "trueasync/composite_error.hpp"

namespace trueasync::detail {

namespace {

// Admitted, and not yet with a resource: whatever happens now says nothing about the service.
struct PermitGuard {
  CircuitBreaker& breaker;
  BreakerPermit permit;
  ~PermitGuard() {
    if (permit) breaker.release_permit(permit);
  }
};

// One whose wait has ended otherwise may not have run yet: then it is out of its queue.
PoolWaiter* still_there(PoolWaiter* waiter) noexcept { return waiter && waiter->entry.is_linked() ? waiter : nullptr; }

}  // namespace

inline LeaseHandle ResourcePool::make_lease(PoolSlot& slot, BreakerPermit permit, SourceLocation location) noexcept {
  slot.state = SlotState::leased;
  slot.is_fresh = false;
  slot.is_leak_reported = false;
  slot.permit = permit;
  slot.since = scheduler_->last_poll_time();
  slot.holder = scheduler_->running()->id;
  slot.location = location;
  ++acquired_;
  return {&slot, slot.resource, ++slot.generation, lease_condition_};
}

// The short way; null: there is more to do than this.
[[gnu::always_inline]] inline PoolSlot* ResourcePool::try_take_idle_fast() noexcept {
  if (__builtin_expect((flags_ & kAcquireSlowMask) || idle_.empty() || !is_on_owner_thread(), 0)) return nullptr;
  PoolSlot& slot = take_idle();
  if (__builtin_expect(slot.expires <= scheduler_->last_poll_time(), 0)) {
    destroy_async(slot);
    return nullptr;
  }
  wait_.record({});
  return &slot;
}

LeaseHandle ResourcePool::acquire(WaitOptions options, SourceLocation location) {
  if (PoolSlot* slot = try_take_idle_fast()) return make_lease(*slot, breaker_.admit(), location);
  return acquire_slow(options, location);
}

// Here, so that the short ways are one call.
LeaseHandle PoolBase::acquire_handle(WaitOptions options, SourceLocation location) {
  ResourcePool& pool = *core_;
  if (PoolSlot* slot = pool.try_take_idle_fast()) return pool.make_lease(*slot, pool.breaker_.admit(), location);
  if (!options.has_time() && !options.token() && pool.must_wait()) return pool.wait_fast(location);
  return pool.acquire_slow(options, location);
}

// Nothing special, nothing idle, and no room for one more.
inline bool ResourcePool::must_wait() const noexcept {
  return !(flags_ & kAcquireSlowMask) && idle_.empty() && existing_ + creating_ >= options_.max &&
         waiting_ < options_.max_waiting && is_on_owner_thread();
}

// The first who waits reads the clock: the last look may be long ago, after somebody has computed. The others come while
// it is recent enough.
inline TimePoint ResourcePool::wait_start_time() noexcept {
  if (waiting_ == 0) first_wait_ = scheduler_->reactor().now();
  return std::max(first_wait_, scheduler_->last_poll_time());
}

// As acquire_slow, for when there is nothing else to do.
LeaseHandle ResourcePool::wait_fast(SourceLocation location) {
  Ref<ResourcePool> keep(this);
  Scheduler& scheduler = *scheduler_;
  const BreakerPermit permit = breaker_.admit();
  const TimePoint begun = wait_start_time();
  WaitEntry entry;
  PoolWaiter waiter(*this, entry);
  WaiterCount count(*this, waiter);
  const WakeReason reason = scheduler.wait_queued(waiters_, entry, location);
  if (__builtin_expect(!waiter.slot, 0)) {
    breaker_.release_permit(permit);
    if (reason != WakeReason::event) throw_wait_error(scheduler, reason, nullptr);
    std::rethrow_exception(waiter.error);
  }
  --reserved_;
  wait_.record(scheduler.last_poll_time() - begun);
  return make_lease(*waiter.slot, permit, location);
}

void ResourcePool::check_open() const {
  if (flags_ & kClosed) throw PoolClosedError("the pool is closed" + named());
  if (flags_ & kDraining) throw PoolClosedError("the pool is being drained" + named());
}

LeaseHandle ResourcePool::acquire_slow(WaitOptions options, SourceLocation location) {
  Scheduler& scheduler = require_owner_thread("Pool::acquire");
  Ref<ResourcePool> keep(this);
  check_open();
  PermitGuard admitted{breaker_, breaker_.admit()};
  if (!admitted.permit) throw breaker_.unavailable_error();
  const TimePoint begun = wait_start_time();
  AcquireDeadline all;
  all.begun = begun;
  all.token = options.token();
  all.deadline = deadline_of(scheduler, options);
  for (QueuePosition turn = QueuePosition::back;; turn = QueuePosition::front) {
    PoolSlot& slot = take_or_wait(all, turn, location);
    if (options_.before_acquire && !slot.is_fresh && !run_before_acquire(slot, all, location)) continue;
    wait_.record(scheduler.last_poll_time() - begun);
    if (flags_ & kWatchUnwind) slot.exceptions = std::uncaught_exceptions();
    return make_lease(slot, std::exchange(admitted.permit, {}), location);
  }
}

// Something idle, or what comes first. It is busy then.
PoolSlot& ResourcePool::take_or_wait(const AcquireDeadline& limits, QueuePosition turn, SourceLocation location) {
  if (is_closed()) check_open();  // while a resource was being refused
  while (!is_paused() && !idle_.empty()) {
    PoolSlot& slot = take_idle();
    slot.state = SlotState::busy;
    if (slot.expires > scheduler_->last_poll_time()) return slot;
    destroy_async(slot);
  }
  return wait_for_resource(limits, turn, location);
}

// False: it was refused, and is gone.
bool ResourcePool::run_before_acquire(PoolSlot& slot, const AcquireDeadline& limits, SourceLocation location) {
  const bool is_quick = options_.before_acquire_kind == HookKind::nonblocking;
  if (!is_quick && (limits.deadline || limits.token)) return wait_for_before_acquire(slot, limits, location);
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
  if (!errors.empty()) std::rethrow_exception(combine_errors(std::move(errors)));
  return false;
}

// The same in a coroutine of its own, for one who waits with a limit: a hook that takes too long must not hold it up,
// and goes on without it.
void ResourcePool::run_before_acquire_task(PoolSlot* slot) noexcept {
  bool is_good = false;
  std::exception_ptr error;
  try {
    is_good = options_.before_acquire(slot->resource, user_.get());
  } catch (...) {
    error = replace_cancellation(std::current_exception());
  }
  slot->task = {};
  PoolWaiter* waiter = still_there(std::exchange(slot->check_waiter, nullptr));
  if (is_good) return waiter ? grant(*waiter, *slot) : reuse_or_destroy(*slot);
  ++failed_checks_;
  if (waiter) {
    waiter->error = std::move(error);
    wake(*waiter);
  }
  run_destroy(slot);
}

// It never began.
void ResourcePool::on_before_acquire_not_started(PoolSlot* slot) noexcept {
  slot->task = {};
  if (PoolWaiter* waiter = still_there(std::exchange(slot->check_waiter, nullptr))) {
    waiter->error = cancelled_error();
    wake(*waiter);
  }
  reuse_or_destroy(*slot);
}

LeaseHandle ResourcePool::try_acquire(SourceLocation location) {
  Scheduler& scheduler = require_owner_thread("Pool::try_acquire");
  Ref<ResourcePool> keep(this);
  check_open();
  PermitGuard admitted{breaker_, breaker_.admit()};
  if (!admitted.permit) throw breaker_.unavailable_error();
  while (!is_paused() && !idle_.empty()) {
    PoolSlot& slot = take_idle();
    slot.state = SlotState::busy;
    bool is_good = slot.expires > scheduler.last_poll_time();
    if (is_good && options_.before_acquire) {
      Scheduler::NoSuspend guard(scheduler, "Pool::try_acquire");
      try {
        is_good = options_.before_acquire(slot.resource, user_.get());
      } catch (...) {
        ++failed_checks_;
        destroy_async(slot);
        throw;
      }
      if (!is_good) ++failed_checks_;
    }
    if (is_good) {
      wait_.record({});
      if (flags_ & kWatchUnwind) slot.exceptions = std::uncaught_exceptions();
      return make_lease(slot, std::exchange(admitted.permit, {}), location);
    }
    destroy_async(slot);
  }
  if (creating_ == 0 && has_room()) start_creation();  // for the next time
  return {};
}

}  // namespace trueasync::detail
