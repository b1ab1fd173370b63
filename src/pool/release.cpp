// Giving a resource back: the fast way, the way with hooks, and the ways a resource goes.
#include "pool/waiters.hpp"
#include "scheduler/face.hpp"
#include "trueasync/composite_error.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// A destructor runs its course, also in a coroutine that is cancelled meanwhile.
class Protected {
 public:
  explicit Protected(Scheduler* scheduler) noexcept : block_(scheduler ? scheduler->running() : nullptr) {
    if (block_) ++block_->protect_depth;
  }
  ~Protected() {
    if (block_) --block_->protect_depth;
  }
  Protected(const Protected&) = delete;
  Protected& operator=(const Protected&) = delete;

 private:
  ControlBlock* block_;
};

}  // namespace

inline bool ResourcePool::owns(const PoolTicket& ticket) const noexcept {
  const PoolSlot* slot = ticket.slot;
  return slot && slot->pool == this && slot->number == ticket.number && slot->state == SlotState::leased;
}

// False: there is more to do than this, and nothing has been done.
[[gnu::always_inline]] inline bool ResourcePool::give_back(const PoolTicket& ticket) noexcept {
  if ((gates_ & kReleaseGates) || ticket.condition != ResourceState::clean || !owns(ticket) || !is_home()) return false;
  PoolSlot& slot = *ticket.slot;
  const TimePoint now = scheduler_->last_look();
  if (slot.expires <= now) return false;
  hold_.record(now - slot.since);
  if (__builtin_expect(breaker_.strategy() != nullptr || !breaker_.passes_all(), 0)) {
    report_and_hand_on(slot);
    return true;
  }
  slot.since = now;
  make_available(slot);
  return true;
}

// The strategy may do anything, to the pool too.
[[gnu::noinline]] void ResourcePool::report_and_hand_on(PoolSlot& slot) noexcept {
  Ref<ResourcePool> keep(this);
  slot.state = SlotState::busy;
  breaker_.report_success(slot.permit);
  slot.since = look();
  hand_on(slot);
}

void ResourcePool::take_back(const PoolTicket& ticket) {
  if (__builtin_expect(!give_back(ticket), 0)) release_slowly(ticket, false);
}

void ResourcePool::drop(const PoolTicket& ticket) noexcept {
  if (__builtin_expect(!give_back(ticket), 0)) drop_slowly(ticket);
}

[[gnu::noinline]] void ResourcePool::drop_slowly(const PoolTicket& ticket) noexcept {
  try {
    Ref<ResourcePool> keep(this);
    const bool unwinds =
        (gates_ & kWatchUnwind) && owns(ticket) && std::uncaught_exceptions() > ticket.slot->exceptions;
    release_slowly(ticket, unwinds);
  } catch (const OperationCancelled&) {
    report(std::current_exception());
  } catch (const Cancelled&) {
    // A hook was cancelled. The resource is gone, and the cancellation comes again at the next suspension.
  } catch (...) {
    report(std::current_exception());
  }
}

void release_lease(const PoolTicket& ticket) {
  if (!ticket) throw MisuseError("a lease was released that is empty: it was released before, or moved from");
  ticket.slot->pool->take_back(ticket);
}

// Flat: the short way is one call.
[[gnu::flatten]] void drop_lease(const PoolTicket& ticket) noexcept { ticket.slot->pool->drop(ticket); }

PoolTicket ResourcePool::find(void* resource) const noexcept {
  PoolSlot* slot = slots_.find(resource);
  if (!slot || slot->state != SlotState::leased) return {};
  return {slot, resource, slot->number, lease_condition_};
}

void ResourcePool::release_slowly(const PoolTicket& ticket, bool unwinds) {
  if (!owns(ticket)) {
    throw MisuseError("a lease was released that is over, or another pool's" + named());
  }
  if (Scheduler::current() && !is_home()) {
    throw MisuseError("a lease goes back on the thread of its runtime, not on another" + named());
  }
  Ref<ResourcePool> keep(this);
  PoolSlot& slot = *ticket.slot;
  slot.state = SlotState::busy;
  hold_.record(look() - slot.since);
  const BreakerPermit permit = slot.permit;
  std::vector<std::exception_ptr> errors;
  switch (unwinds ? Verdict::discarded : inspect(slot, ticket.condition, errors)) {
    case Verdict::accepted:
      breaker_.report_success(permit);
      if (must_go(slot)) {
        if (auto error = destroy(slot)) errors.push_back(std::move(error));
        break;
      }
      slot.since = look();
      make_available(slot);
      break;
    case Verdict::refused: {
      ++failed_checks_;
      auto failure = errors.empty() ? std::make_exception_ptr(PoolError("a resource came back in a state of no use"))
                                    : errors.front();
      breaker_.report_failure(std::move(failure), permit);
      if (auto error = destroy(slot)) errors.push_back(std::move(error));
      break;
    }
    case Verdict::discarded:
      breaker_.give_back_permit(permit);
      if (auto error = destroy(slot)) errors.push_back(std::move(error));
      break;
  }
  if (!errors.empty()) std::rethrow_exception(composed(std::move(errors)));
}

ResourcePool::Verdict ResourcePool::inspect(PoolSlot& slot, ResourceState condition,
                                            std::vector<std::exception_ptr>& errors) noexcept {
  if (condition == ResourceState::broken) return Verdict::refused;
  if (condition == ResourceState::dirty && !options_.reset) return Verdict::discarded;
  try {
    if (condition == ResourceState::dirty && options_.reset(slot.resource, user_.get()) != ResourceState::clean) {
      return Verdict::refused;
    }
    if (options_.before_release && !options_.before_release(slot.resource, user_.get())) return Verdict::refused;
    return Verdict::accepted;
  } catch (const OperationCancelled&) {  // a hook ran out of time
    errors.push_back(std::current_exception());
    return Verdict::refused;
  } catch (const Cancelled&) {
    errors.push_back(std::current_exception());
    return Verdict::discarded;
  } catch (...) {
    errors.push_back(std::current_exception());
    return Verdict::refused;
  }
}

// It belongs to the one who waits longest, from this instant (PO-01).
void ResourcePool::make_available(PoolSlot& slot) noexcept {
  if (!waiters_.empty() && !is_paused()) return serve_with(*oldest(), slot);
  slot.state = SlotState::idle;
  slot.is_fresh = false;
  idle_.push_back(&slot);  // there is room for every slot
  if (__builtin_expect(gates_ & kTimed, 0)) {
    if (due(slot) < upkeep_timer_.when()) arm_upkeep();
  }
  if (__builtin_expect(has_subscribers(), 0)) notify({});
  if (__builtin_expect(changed_.has_subscribers(), 0)) changed();
}

bool ResourcePool::must_go(const PoolSlot& slot) const noexcept {
  return is_closed() || existing_ + creating_ > options_.max || slot.expires <= look();
}

// For those who must not suspend.
void ResourcePool::hand_on(PoolSlot& slot) noexcept {
  if (must_go(slot)) return bury(slot);
  make_available(slot);
}

// The capacity is free when the destructor has ended. The resource is forgotten before: a new one may get its address.
std::exception_ptr ResourcePool::destroy(PoolSlot& slot) noexcept {
  Ref<ResourcePool> keep(this);
  slot.state = SlotState::busy;
  void* resource = slots_.empty(slot);
  std::exception_ptr error;
  if (options_.destructor) {
    const Protected guard(is_home() ? scheduler_ : nullptr);
    try {
      options_.destructor(resource, user_.get());
    } catch (...) {
      error = not_cancelled(std::current_exception());
    }
  }
  age_.record(look() - slot.created);
  --existing_;
  ++destroyed_;
  slots_.give_back(slot);
  set_gate(kOverMax, existing_ + creating_ > options_.max);
  replenish();
  changed();
  if (is_orphan_ && existing_ == 0) {
    is_orphan_ = false;
    release();
  }
  return error;
}

void ResourcePool::bury(PoolSlot& slot) noexcept {
  slot.state = SlotState::busy;
  if (is_home()) {
    try {
      slot.task = start_work("pool: destructor", &slot, &ResourcePool::run_burial, &ResourcePool::run_burial);
      return;
    } catch (...) {  // without a coroutine, then
    }
  }
  run_burial(&slot);
}

void ResourcePool::run_burial(PoolSlot* slot) noexcept {
  if (auto error = destroy(*slot)) report(std::move(error));
}

}  // namespace trueasync::detail
