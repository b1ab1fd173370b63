// Giving a resource back: the fast way, the way with hooks, and the ways a resource goes.
#include "pool/waiters.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/composite_error.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// A destructor runs its course, also in a coroutine that is cancelled meanwhile.
class ReleaseShield {
 public:
  explicit ReleaseShield(Scheduler* scheduler) noexcept : block_(scheduler ? scheduler->running() : nullptr) {
    if (block_) ++block_->protect_depth;
  }
  ~ReleaseShield() {
    if (block_) --block_->protect_depth;
  }
  ReleaseShield(const ReleaseShield&) = delete;
  ReleaseShield& operator=(const ReleaseShield&) = delete;

 private:
  ControlBlock* block_;
};

}  // namespace

inline bool ResourcePool::owns(const LeaseHandle& ticket) const noexcept {
  const PoolSlot* slot = ticket.slot;
  return slot && slot->pool == this && slot->generation == ticket.generation && slot->state == SlotState::leased;
}

// False: there is more to do than this, and nothing has been done.
[[gnu::always_inline]] inline bool ResourcePool::try_release_fast(const LeaseHandle& ticket) noexcept {
  if ((flags_ & kReleaseSlowMask) || ticket.state != ResourceState::clean || !owns(ticket) || !is_on_owner_thread())
    return false;
  PoolSlot& slot = *ticket.slot;
  const TimePoint now = scheduler_->last_poll_time();
  if (slot.expires <= now) return false;
  hold_.record(now - slot.since);
  if (__builtin_expect(breaker_.strategy() != nullptr || !breaker_.is_active(), 0)) {
    report_success_and_reuse(slot);
    return true;
  }
  slot.since = now;
  make_available(slot);
  return true;
}

// The strategy may do anything, to the pool too.
[[gnu::noinline]] void ResourcePool::report_success_and_reuse(PoolSlot& slot) noexcept {
  Ref<ResourcePool> keep(this);
  slot.state = SlotState::busy;
  breaker_.report_success(slot.permit);
  slot.since = cached_now();
  reuse_or_destroy(slot);
}

void ResourcePool::release_lease(const LeaseHandle& ticket) {
  if (__builtin_expect(!try_release_fast(ticket), 0)) release_slow(ticket, false);
}

void ResourcePool::drop(const LeaseHandle& ticket) noexcept {
  if (__builtin_expect(!try_release_fast(ticket), 0)) drop_slow(ticket);
}

[[gnu::noinline]] void ResourcePool::drop_slow(const LeaseHandle& ticket) noexcept {
  try {
    Ref<ResourcePool> keep(this);
    const bool unwinds =
        (flags_ & kWatchUnwind) && owns(ticket) && std::uncaught_exceptions() > ticket.slot->exceptions;
    release_slow(ticket, unwinds);
  } catch (const OperationCancelled&) {
    report(std::current_exception());
  } catch (const Cancelled&) {
    // A hook was cancelled. The resource is gone, and the cancellation comes again at the next suspension.
  } catch (...) {
    report(std::current_exception());
  }
}

void release_lease(const LeaseHandle& ticket) {
  if (!ticket) throw MisuseError("a lease was released that is empty: it was released before, or moved from");
  ticket.slot->pool->release_lease(ticket);
}

// Flat: the short way is one call.
[[gnu::flatten]] void drop_lease(const LeaseHandle& ticket) noexcept { ticket.slot->pool->drop(ticket); }

LeaseHandle ResourcePool::find(void* resource) const noexcept {
  PoolSlot* slot = slots_.find(resource);
  if (!slot || slot->state != SlotState::leased) return {};
  return {slot, resource, slot->generation, lease_condition_};
}

void ResourcePool::release_slow(const LeaseHandle& ticket, bool unwinds) {
  if (!owns(ticket)) {
    throw MisuseError("a lease was released that is over, or another pool's" + named());
  }
  if (Scheduler::current() && !is_on_owner_thread()) {
    throw MisuseError("a lease goes back on the thread of its runtime, not on another" + named());
  }
  Ref<ResourcePool> keep(this);
  PoolSlot& slot = *ticket.slot;
  slot.state = SlotState::busy;
  hold_.record(cached_now() - slot.since);
  const BreakerPermit permit = slot.permit;
  std::vector<std::exception_ptr> errors;
  switch (unwinds ? ReleaseAction::discarded : run_release_hooks(slot, ticket.state, errors)) {
    case ReleaseAction::accepted:
      breaker_.report_success(permit);
      if (must_destroy(slot)) {
        if (auto error = destroy(slot)) errors.push_back(std::move(error));
        break;
      }
      slot.since = cached_now();
      make_available(slot);
      break;
    case ReleaseAction::refused: {
      ++failed_checks_;
      auto failure = errors.empty() ? std::make_exception_ptr(PoolError("a resource came back in a state of no use"))
                                    : errors.front();
      breaker_.report_failure(std::move(failure), permit);
      if (auto error = destroy(slot)) errors.push_back(std::move(error));
      break;
    }
    case ReleaseAction::discarded:
      breaker_.release_permit(permit);
      if (auto error = destroy(slot)) errors.push_back(std::move(error));
      break;
  }
  if (!errors.empty()) std::rethrow_exception(combine_errors(std::move(errors)));
}

ResourcePool::ReleaseAction ResourcePool::run_release_hooks(PoolSlot& slot, ResourceState condition,
                                                            std::vector<std::exception_ptr>& errors) noexcept {
  if (condition == ResourceState::broken) return ReleaseAction::refused;
  if (condition == ResourceState::dirty && !options_.reset) return ReleaseAction::discarded;
  try {
    if (condition == ResourceState::dirty && options_.reset(slot.resource, user_.get()) != ResourceState::clean) {
      return ReleaseAction::refused;
    }
    if (options_.before_release && !options_.before_release(slot.resource, user_.get())) return ReleaseAction::refused;
    return ReleaseAction::accepted;
  } catch (const OperationCancelled&) {  // a hook ran out of time
    errors.push_back(std::current_exception());
    return ReleaseAction::refused;
  } catch (const Cancelled&) {
    errors.push_back(std::current_exception());
    return ReleaseAction::discarded;
  } catch (...) {
    errors.push_back(std::current_exception());
    return ReleaseAction::refused;
  }
}

// It belongs to the one who waits longest, from this instant (PO-01).
void ResourcePool::make_available(PoolSlot& slot) noexcept {
  if (!waiters_.empty() && !is_paused()) return grant(*oldest(), slot);
  slot.state = SlotState::idle;
  slot.is_fresh = false;
  idle_.push_back(&slot);  // there is room for every slot
  if (__builtin_expect(flags_ & kTimed, 0)) {
    if (due(slot) < upkeep_timer_.when()) arm_maintenance_timer();
  }
  if (__builtin_expect(has_subscribers(), 0)) notify({});
  if (__builtin_expect(changed_.has_subscribers(), 0)) notify_change();
}

bool ResourcePool::must_destroy(const PoolSlot& slot) const noexcept {
  return is_closed() || existing_ + creating_ > options_.max || slot.expires <= cached_now();
}

// For those who must not suspend.
void ResourcePool::reuse_or_destroy(PoolSlot& slot) noexcept {
  if (must_destroy(slot)) return destroy_async(slot);
  make_available(slot);
}

// The capacity is free when the destructor has ended. The resource is forgotten before: a new one may get its address.
std::exception_ptr ResourcePool::destroy(PoolSlot& slot) noexcept {
  Ref<ResourcePool> keep(this);
  slot.state = SlotState::busy;
  void* resource = slots_.empty(slot);
  std::exception_ptr error;
  if (options_.destructor) {
    const ReleaseShield guard(is_on_owner_thread() ? scheduler_ : nullptr);
    try {
      options_.destructor(resource, user_.get());
    } catch (...) {
      error = replace_cancellation(std::current_exception());
    }
  }
  age_.record(cached_now() - slot.created);
  --existing_;
  ++destroyed_;
  slots_.free(slot);
  set_flag(kOverMax, existing_ + creating_ > options_.max);
  replenish();
  notify_change();
  if (owner_released_ && existing_ == 0) {
    owner_released_ = false;
    release();
  }
  return error;
}

void ResourcePool::destroy_async(PoolSlot& slot) noexcept {
  slot.state = SlotState::busy;
  if (is_on_owner_thread()) {
    try {
      slot.task = spawn_background("pool: destructor", &slot, &ResourcePool::run_destroy, &ResourcePool::run_destroy);
      return;
    } catch (...) {  // without a coroutine, then
    }
  }
  run_destroy(&slot);
}

void ResourcePool::run_destroy(PoolSlot* slot) noexcept {
  if (auto error = destroy(*slot)) report(std::move(error));
}

}  // namespace trueasync::detail
