// The members of a scope and its counters.
#include "scope/scope_state.hpp"

#include "base/check.hpp"
#include "scheduler/api_support.hpp"
#include "scope/lazy_scope.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

CoroutineOwner* owner_of(ScopeState& state) noexcept { return &state; }

ScopeState::ScopeState(Scheduler& scheduler, ScopeState* parent, Kind kind) noexcept
    : scheduler_(scheduler), parent_(parent), kind_(kind) {
  if (!parent) return;
  parent->children_.push_back(*this);
  detaches_on_dispose = parent->detaches_on_dispose;
  detached_ = parent->detached_;
  deadline_passed_ = parent->deadline_passed_;
}

Ref<ScopeState> ScopeState::make(Scheduler& scheduler, ScopeState* parent) {
  return Ref<ScopeState>::adopt(new ScopeState(scheduler, parent, Kind::plain));
}

ScopeState& ScopeState::root(Scheduler& scheduler) {
  if (!scheduler.root_owner()) scheduler.set_root_owner(new ScopeState(scheduler, nullptr, Kind::root));
  return static_cast<ScopeState&>(*scheduler.root_owner());
}

ScopeState& ScopeState::of(ControlBlock& block) { return block.owner ? of(*block.owner) : root(*block.scheduler); }

ScopeState& ScopeState::of(CoroutineOwner& owner) {
  if (auto* scope = dynamic_cast<ScopeState*>(&owner)) return *scope;
  return static_cast<LazyScope&>(owner).scope();
}

// Iterative, because the last handle of a deep tree may be dropped on a small stack.
void ScopeState::dispose() noexcept {
  for (ScopeState* scope = this; scope;) {
    if (!scope->errors_.empty() && scope->is_on_owner_thread()) scope->propagate_kept_errors();
    scope->host.reset();
    ScopeState* parent = scope->parent_.detach();
    if (scope->is_linked()) scope->unlink();
    delete scope;
    if (parent && parent->references() != 1) {
      parent->release();
      return;
    }
    scope = parent;
  }
}

bool ScopeState::is_closed() const noexcept {
  if (closed_) return true;
  return dispose_at_ != TimePoint::max() && is_on_owner_thread() && scheduler_.reactor().now() >= dispose_at_;
}

bool ScopeState::is_ancestor_of(const ScopeState& other) const noexcept {
  for (const ScopeState* scope = &other; scope; scope = scope->parent()) {
    if (scope == this) return true;
  }
  return false;
}

void ScopeState::attach(ControlBlock& block) {
  if (block.scheduler != &scheduler_) throw MisuseError("spawn: the scope belongs to another runtime");
  if (is_root()) return;
  if (is_closed() && internal_spawns_ == 0) {
    throw MisuseError(std::string("spawn: the scope is closed, it was ") + (cancelled_ ? "cancelled" : "disposed"));
  }
  members_.add(block);
  block.owner = this;
  retain();
  if (deadline_passed_) block.flags |= kDeadlinePassed;
  count_up(&ScopeState::live_);
  if (!detached_) return count_up(&ScopeState::active_);
  ScopeMembers::detach(block);
  scheduler_.make_zombie(block);
}

void ScopeState::count_up(std::size_t ScopeState::*count) noexcept {
  for (ScopeState* scope = this; scope; scope = scope->parent()) {
    if (++(scope->*count) != 1) return;
    if (count == &ScopeState::live_) scope->arm_timer();
  }
}

// Updates all counters first, because on_zero() runs handlers and notifies subscribers.
void ScopeState::count_down(std::size_t ScopeState::*count, std::size_t by) noexcept {
  this->*count -= by;
  if (this->*count != 0) return;
  ScopeState* ancestor = parent();
  while (ancestor && --(ancestor->*count) == 0) ancestor = ancestor->parent();
  const Ref<ScopeState> end(ancestor);
  Ref<ScopeState> scope(this);
  while (scope.get() != end.get()) {
    scope->on_zero(count);
    scope = Ref<ScopeState>(scope->parent());
  }
}

void ScopeState::on_zero(std::size_t ScopeState::*count) noexcept {
  if (this->*count != 0) return;  // a handler of a child scope has spawned a coroutine
  if (count == &ScopeState::active_) {
    Notification result;
    replay(result);
    notify(result);
    return;
  }
  arm_timer();
  end_event_.fire();
  finish_if_done();
}

bool ScopeState::replay(Notification& result) const noexcept {
  if (!is_idle()) return false;
  if (!errors_.empty()) result.error = combine_errors(errors_);
  return true;
}

bool ScopeEndEvent::replay(Notification&) const noexcept { return scope_.is_empty(); }

void ScopeState::on_finished(ControlBlock& block) noexcept {
  members_.remove(block);
  // If only this reference is left, no coroutine can await it any more. Its error must be handled before the counters
  // change: awaiters of the scope get it.
  const bool is_unobserved = block.outcome == Outcome::error && !(block.flags & kErrorObserved);
  if (is_unobserved && collects_errors) {
    block.flags |= kErrorObserved;
    std::exception_ptr error = block.error;
    try_handle_error(block, error, false);
  } else if (is_unobserved && block.references() == 1) {
    block.flags |= kErrorObserved;
    scheduler_.report_unhandled(block, block.error);
  }
  // In this order: a finally handler that starts in the parent scope keeps the parent active without a gap.
  count_down(&ScopeState::live_, 1);
  if (!ScopeMembers::is_detached(block)) count_down(&ScopeState::active_, 1);
}

void ScopeState::unpin() noexcept {
  if (--pins_ == 0) finish_if_done();
}

void ScopeState::drop_handle() noexcept {
  if (--handles_ == 0 && !closed_ && !is_root()) dispose_by_policy();
}

}  // namespace trueasync::detail
