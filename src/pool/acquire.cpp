// Acquire: the fast path, and the slow path with breaker, hooks, timeouts and waiting.
#include <algorithm>

#include "pool/waiters.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "scheduler/fast_path.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// Releases the permit of an acquire that got no resource: its failure says nothing about the service.
struct PermitGuard {
  CircuitBreaker& breaker;
  BreakerPermit permit;
  ~PermitGuard() {
    if (permit) breaker.release_permit(permit);
  }
};

// Returns null if the wait has already ended: such a waiter is out of its queue but may not have run yet.
PoolWaiter* waiter_if_queued(PoolWaiter* waiter) noexcept {
  return waiter && waiter->entry.is_linked() ? waiter : nullptr;
}

}  // namespace

inline LeaseHandle ResourcePool::make_lease(PoolSlot& slot, BreakerPermit permit, SourceLocation location) noexcept {
  slot.state = SlotState::leased;
  slot.is_new = false;
  slot.is_leak_reported = false;
  slot.permit = permit;
  slot.since = scheduler_->last_poll_time();
  slot.holder = scheduler_->running()->id;
  slot.location = location;
  ++acquired_;
  return {&slot, slot.resource, ++slot.generation, lease_state_};
}

// Returns null if the slow path is needed.
[[gnu::always_inline]] inline PoolSlot* ResourcePool::try_take_idle_fast() noexcept {
  if (__builtin_expect((flags_ & kAcquireSlowMask) || idle_.empty() || !is_on_owner_thread(), 0)) return nullptr;
  PoolSlot& slot = take_idle();
  if (__builtin_expect(slot.expires <= scheduler_->last_poll_time(), 0)) {
    destroy_async(slot);
    return nullptr;
  }
  wait_time_.record({});
  return &slot;
}

LeaseHandle ResourcePool::acquire(WaitOptions options, SourceLocation location) {
  if (PoolSlot* slot = try_take_idle_fast()) return make_lease(*slot, breaker_.admit(), location);
  return acquire_slow(options, location);
}

// Defined in this file so that the fast paths are inlined.
LeaseHandle PoolBase::acquire_handle(WaitOptions options, SourceLocation location) {
  ResourcePool& pool = *core_;
  if (PoolSlot* slot = pool.try_take_idle_fast()) return pool.make_lease(*slot, pool.breaker_.admit(), location);
  if (!options.has_time() && !options.token() && pool.must_wait()) return pool.wait_fast(location);
  return pool.acquire_slow(options, location);
}

// Returns true if the acquire has to wait and no case of kAcquireSlowMask applies.
inline bool ResourcePool::must_wait() const noexcept {
  return !(flags_ & kAcquireSlowMask) && idle_.empty() && existing_ + creating_ >= options_.max &&
         waiting_ < options_.max_waiting && is_on_owner_thread();
}

// The first waiter reads the clock, because the last poll may be long ago if a coroutine computed without suspending.
// For later waiters the time of the first waiter or of the last poll is recent enough.
inline TimePoint ResourcePool::wait_start_time() noexcept {
  if (waiting_ == 0) first_wait_start_ = scheduler_->reactor().now();
  return std::max(first_wait_start_, scheduler_->last_poll_time());
}

// The acquire without timeout and token if must_wait() is true.
LeaseHandle ResourcePool::wait_fast(SourceLocation location) {
  Ref<ResourcePool> keep_alive(this);
  Scheduler& scheduler = *scheduler_;
  const BreakerPermit permit = breaker_.admit();
  const TimePoint start_time = wait_start_time();
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
  wait_time_.record(scheduler.last_poll_time() - start_time);
  return make_lease(*waiter.slot, permit, location);
}

void ResourcePool::check_open() const {
  if (flags_ & kClosed) throw PoolClosedError(label() + ": closed");
  if (flags_ & kDraining) throw PoolClosedError(label() + ": draining, no new acquire is accepted");
}

LeaseHandle ResourcePool::acquire_slow(WaitOptions options, SourceLocation location) {
  Scheduler& scheduler = require_owner_thread("Pool::acquire");
  Ref<ResourcePool> keep_alive(this);
  check_open();
  PermitGuard admitted{breaker_, breaker_.admit()};
  if (!admitted.permit) throw breaker_.unavailable_error();
  const TimePoint start_time = wait_start_time();
  AcquireWait wait;
  wait.start_time = start_time;
  wait.token = options.token();
  wait.deadline = absolute_deadline(scheduler, options);
  for (QueuePosition position = QueuePosition::back;; position = QueuePosition::front) {
    PoolSlot& slot = take_or_wait(wait, position, location);
    if (options_.before_acquire && !slot.is_new && !run_before_acquire(slot, wait, location)) continue;
    wait_time_.record(scheduler.last_poll_time() - start_time);
    if (flags_ & kDiscardOnUnwind) slot.exceptions = std::uncaught_exceptions();
    return make_lease(slot, std::exchange(admitted.permit, {}), location);
  }
}

// Returns the slot of an idle resource, or waits for one. The slot has SlotState::busy.
PoolSlot& ResourcePool::take_or_wait(const AcquireWait& wait, QueuePosition position, SourceLocation location) {
  if (is_closed()) check_open();  // the pool may have been closed while before_acquire rejected a resource
  while (!is_paused() && !idle_.empty()) {
    PoolSlot& slot = take_idle();
    slot.state = SlotState::busy;
    if (slot.expires > scheduler_->last_poll_time()) return slot;
    destroy_async(slot);
  }
  return wait_for_resource(wait, position, location);
}

// Returns false if the hook rejected the resource, which is destroyed then.
bool ResourcePool::run_before_acquire(PoolSlot& slot, const AcquireWait& wait, SourceLocation location) {
  const bool is_nonblocking = options_.before_acquire_kind == HookKind::nonblocking;
  if (!is_nonblocking && (wait.deadline || wait.token)) return wait_for_before_acquire(slot, wait, location);
  std::vector<std::exception_ptr> errors;
  try {
    std::optional<Scheduler::NoSuspend> guard;
    if (is_nonblocking) guard.emplace(*scheduler_, "a before_acquire of HookKind::nonblocking");
    if (options_.before_acquire(slot.resource, hook_context_.get())) return true;
  } catch (...) {
    errors.push_back(std::current_exception());
  }
  ++failed_checks_;
  if (auto error = destroy(slot)) errors.push_back(std::move(error));
  if (!errors.empty()) std::rethrow_exception(combine_errors(std::move(errors)));
  return false;
}

// run_before_acquire() in a background coroutine, for an acquire with a timeout or token: the hook must not delay the
// end of the wait. If the waiter stops waiting, the hook continues and the resource goes to the pool.
void ResourcePool::run_before_acquire_task(PoolSlot* slot) noexcept {
  bool is_usable = false;
  std::exception_ptr error;
  try {
    is_usable = options_.before_acquire(slot->resource, hook_context_.get());
  } catch (...) {
    error = replace_cancellation(std::current_exception());
  }
  slot->task = {};
  PoolWaiter* waiter = waiter_if_queued(std::exchange(slot->check_waiter, nullptr));
  if (is_usable) return waiter ? grant(*waiter, *slot) : reuse_or_destroy(*slot);
  ++failed_checks_;
  if (waiter) {
    waiter->error = std::move(error);
    wake(*waiter);
  }
  run_destroy(slot);
}

void ResourcePool::on_before_acquire_not_started(PoolSlot* slot) noexcept {
  slot->task = {};
  if (PoolWaiter* waiter = waiter_if_queued(std::exchange(slot->check_waiter, nullptr))) {
    waiter->error = cancelled_error();
    wake(*waiter);
  }
  reuse_or_destroy(*slot);
}

LeaseHandle ResourcePool::try_acquire(SourceLocation location) {
  Scheduler& scheduler = require_owner_thread("Pool::try_acquire");
  Ref<ResourcePool> keep_alive(this);
  check_open();
  PermitGuard admitted{breaker_, breaker_.admit()};
  if (!admitted.permit) throw breaker_.unavailable_error();
  while (!is_paused() && !idle_.empty()) {
    PoolSlot& slot = take_idle();
    slot.state = SlotState::busy;
    bool is_usable = slot.expires > scheduler.last_poll_time();
    if (is_usable && options_.before_acquire) {
      Scheduler::NoSuspend guard(scheduler, "Pool::try_acquire");
      try {
        is_usable = options_.before_acquire(slot.resource, hook_context_.get());
      } catch (...) {
        ++failed_checks_;
        destroy_async(slot);
        throw;
      }
      if (!is_usable) ++failed_checks_;
    }
    if (is_usable) {
      wait_time_.record({});
      if (flags_ & kDiscardOnUnwind) slot.exceptions = std::uncaught_exceptions();
      return make_lease(slot, std::exchange(admitted.permit, {}), location);
    }
    destroy_async(slot);
  }
  if (creating_ == 0 && can_create()) start_creation();  // for a later try_acquire()
  return {};
}

}  // namespace trueasync::detail
