// Release: the fast path, the slow path with hooks, and the destruction of resources.
#include "pool/waiters.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// Defers cancellation while a destructor hook runs. No effect outside the runtime.
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

inline bool ResourcePool::owns(const LeaseHandle& handle) const noexcept {
  const PoolSlot* slot = handle.slot;
  return slot && slot->pool == this && slot->generation == handle.generation && slot->state == SlotState::leased;
}

// Returns false, without effect, if the slow path is needed.
[[gnu::always_inline]] inline bool ResourcePool::try_release_fast(const LeaseHandle& handle) noexcept {
  if ((flags_ & kReleaseSlowMask) || handle.state != ResourceState::clean || !owns(handle) || !is_on_owner_thread())
    return false;
  PoolSlot& slot = *handle.slot;
  const TimePoint now = scheduler_->last_poll_time();
  if (slot.expires <= now) return false;
  hold_time_.record(now - slot.since);
  if (__builtin_expect(breaker_.strategy() != nullptr || !breaker_.is_active(), 0)) {
    report_success_and_reuse(slot);
    return true;
  }
  slot.since = now;
  make_available(slot);
  return true;
}

// Not inlined: the strategy may call any function of the pool, so the pool needs a reference here.
[[gnu::noinline]] void ResourcePool::report_success_and_reuse(PoolSlot& slot) noexcept {
  Ref<ResourcePool> keep_alive(this);
  slot.state = SlotState::busy;
  breaker_.report_success(slot.permit);
  slot.since = cached_now();
  reuse_or_destroy(slot);
}

void ResourcePool::release_lease(const LeaseHandle& handle) {
  if (__builtin_expect(!try_release_fast(handle), 0)) release_slow(handle, false);
}

void ResourcePool::drop(const LeaseHandle& handle) noexcept {
  if (__builtin_expect(!try_release_fast(handle), 0)) drop_slow(handle);
}

[[gnu::noinline]] void ResourcePool::drop_slow(const LeaseHandle& handle) noexcept {
  try {
    Ref<ResourcePool> keep_alive(this);
    const bool unwinds =
        (flags_ & kDiscardOnUnwind) && owns(handle) && std::uncaught_exceptions() > handle.slot->exceptions;
    release_slow(handle, unwinds);
  } catch (const OperationCancelled&) {
    report(std::current_exception());
  } catch (const Cancelled&) {
    // A hook was cancelled and the resource is destroyed. Cancellation is sticky: the next suspension delivers it
    // again.
  } catch (...) {
    report(std::current_exception());
  }
}

void release_lease(const LeaseHandle& handle) {
  if (!handle) throw MisuseError("release of an empty lease: it was already released or moved from");
  handle.slot->pool->release_lease(handle);
}

// flatten: the fast path is one call.
[[gnu::flatten]] void drop_lease(const LeaseHandle& handle) noexcept { handle.slot->pool->drop(handle); }

LeaseHandle ResourcePool::find(void* resource) const noexcept {
  PoolSlot* slot = slots_.find(resource);
  if (!slot || slot->state != SlotState::leased) return {};
  return {slot, resource, slot->generation, lease_state_};
}

void ResourcePool::release_slow(const LeaseHandle& handle, bool unwinds) {
  if (!owns(handle)) {
    throw MisuseError(label() + ": release of an expired lease or of a lease of another pool");
  }
  if (Scheduler::current() && !is_on_owner_thread()) {
    throw MisuseError(label() + ": release on a thread other than its runtime's");
  }
  Ref<ResourcePool> keep_alive(this);
  PoolSlot& slot = *handle.slot;
  slot.state = SlotState::busy;
  hold_time_.record(cached_now() - slot.since);
  const BreakerPermit permit = slot.permit;
  std::vector<std::exception_ptr> errors;
  switch (unwinds ? ReleaseAction::discarded : run_release_hooks(slot, handle.state, errors)) {
    case ReleaseAction::accepted:
      breaker_.report_success(permit);
      if (must_destroy(slot)) {
        if (auto error = destroy(slot)) errors.push_back(std::move(error));
        break;
      }
      slot.since = cached_now();
      make_available(slot);
      break;
    case ReleaseAction::rejected: {
      ++failed_checks_;
      auto failure = errors.empty()
                         ? std::make_exception_ptr(PoolError(label() + ": a resource was rejected on release"))
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

ResourcePool::ReleaseAction ResourcePool::run_release_hooks(PoolSlot& slot, ResourceState state,
                                                            std::vector<std::exception_ptr>& errors) noexcept {
  if (state == ResourceState::broken) return ReleaseAction::rejected;
  if (state == ResourceState::dirty && !options_.reset) return ReleaseAction::discarded;
  try {
    if (state == ResourceState::dirty && options_.reset(slot.resource, hook_context_.get()) != ResourceState::clean) {
      return ReleaseAction::rejected;
    }
    if (options_.before_release && !options_.before_release(slot.resource, hook_context_.get()))
      return ReleaseAction::rejected;
    return ReleaseAction::accepted;
  } catch (const OperationCancelled&) {  // a hook timed out, the coroutine is not cancelled
    errors.push_back(std::current_exception());
    return ReleaseAction::rejected;
  } catch (const Cancelled&) {
    errors.push_back(std::current_exception());
    return ReleaseAction::discarded;
  } catch (...) {
    errors.push_back(std::current_exception());
    return ReleaseAction::rejected;
  }
}

// Grants the resource to the oldest waiter immediately, so that no later acquire can take it; else makes it idle.
void ResourcePool::make_available(PoolSlot& slot) noexcept {
  if (!waiters_.empty() && !is_paused()) return grant(*oldest(), slot);
  slot.state = SlotState::idle;
  slot.is_new = false;
  idle_.push_back(&slot);  // never allocates: start_creation() reserved capacity for every slot
  if (__builtin_expect(flags_ & kExpiring, 0)) {
    if (expiry_time(slot) < maintenance_timer_.when()) arm_maintenance_timer();
  }
  if (__builtin_expect(has_subscribers(), 0)) notify({});
  if (__builtin_expect(changed_.has_subscribers(), 0)) notify_change();
}

bool ResourcePool::must_destroy(const PoolSlot& slot) const noexcept {
  return is_closed() || existing_ + creating_ > options_.max || slot.expires <= cached_now();
}

// Does not suspend.
void ResourcePool::reuse_or_destroy(PoolSlot& slot) noexcept {
  if (must_destroy(slot)) return destroy_async(slot);
  make_available(slot);
}

// Returns the error of the destructor. The capacity is returned after the destructor has ended. The resource is removed
// from the index before, because a new resource may get the same address.
std::exception_ptr ResourcePool::destroy(PoolSlot& slot) noexcept {
  Ref<ResourcePool> keep_alive(this);
  slot.state = SlotState::busy;
  void* resource = slots_.empty(slot);
  std::exception_ptr error;
  if (options_.destructor) {
    const ReleaseShield shield(is_on_owner_thread() ? scheduler_ : nullptr);
    try {
      options_.destructor(resource, hook_context_.get());
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
    } catch (...) {  // no stack or memory for a coroutine: destroy in place
    }
  }
  run_destroy(&slot);
}

void ResourcePool::run_destroy(PoolSlot* slot) noexcept {
  if (auto error = destroy(*slot)) report(std::move(error));
}

}  // namespace trueasync::detail
