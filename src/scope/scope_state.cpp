// Who belongs to a scope, and what it counts.
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

// Not by recursion: the last handle of a deep tree may be dropped on a small stack.
void ScopeState::dispose() noexcept {
  for (ScopeState* dead = this; dead;) {
    if (!dead->errors_.empty() && dead->is_on_owner_thread()) dead->propagate_kept_errors();
    dead->host.reset();
    ScopeState* above = dead->parent_.detach();
    if (dead->is_linked()) dead->unlink();
    delete dead;
    if (above && above->references() != 1) {
      above->release();
      return;
    }
    dead = above;
  }
}

bool ScopeState::is_closed() const noexcept {
  if (closed_) return true;
  return dispose_at_ != TimePoint::max() && is_on_owner_thread() && scheduler_.reactor().now() >= dispose_at_;
}

bool ScopeState::is_ancestor_of(const ScopeState& other) const noexcept {
  for (const ScopeState* at = &other; at; at = at->parent()) {
    if (at == this) return true;
  }
  return false;
}

void ScopeState::attach(ControlBlock& block) {
  if (block.scheduler != &scheduler_) throw MisuseError("a scope belongs to the runtime it was made in");
  if (is_root()) return;
  if (is_closed() && internal_spawns_ == 0) {
    throw MisuseError(std::string("can't spawn in a scope that is closed: it was ") +
                      (cancelled_ ? "cancelled" : "disposed of"));
  }
  members_.add(block);
  block.owner = this;
  retain();
  if (deadline_passed_) block.flags |= kDeadlinePassed;
  count_up(&ScopeState::living_);
  if (!detached_) return count_up(&ScopeState::active_);
  ScopeMembers::detach(block);
  scheduler_.make_zombie(block);
}

void ScopeState::count_up(std::size_t ScopeState::*count) noexcept {
  for (ScopeState* at = this; at; at = at->parent()) {
    if (++(at->*count) != 1) return;
    if (count == &ScopeState::living_) at->arm_timer();
  }
}

// Everything that is told or run because of it comes after all counts are right.
void ScopeState::count_down(std::size_t ScopeState::*count, std::size_t by) noexcept {
  this->*count -= by;
  if (this->*count != 0) return;
  ScopeState* at = parent();
  while (at && --(at->*count) == 0) at = at->parent();
  const Ref<ScopeState> end(at);
  Ref<ScopeState> keep(this);
  while (keep.get() != end.get()) {
    keep->on_zero(count);
    keep = Ref<ScopeState>(keep->parent());
  }
}

void ScopeState::on_zero(std::size_t ScopeState::*count) noexcept {
  if (this->*count != 0) return;  // somebody whom a handler spawned
  if (count == &ScopeState::active_) {
    Notification result;
    replay(result);
    notify(result);
    return;
  }
  arm_timer();
  settled_.fire();
  finish_if_done();
}

bool ScopeState::replay(Notification& result) const noexcept {
  if (!is_idle()) return false;
  if (!errors_.empty()) result.error = combine_errors(errors_);
  return true;
}

bool ScopeEndEvent::replay(Notification&) const noexcept { return scope_.is_settled(); }

void ScopeState::on_finished(ControlBlock& block) noexcept {
  members_.remove(block);
  // Nobody holds the coroutine, so nobody can await it any more: its error is ours, before we count as finished.
  const bool is_lost = block.outcome == Outcome::error && !(block.flags & kErrorObserved);
  if (is_lost && collects_errors) {
    block.flags |= kErrorObserved;
    std::exception_ptr error = block.error;
    try_handle_error(block, error, false);
  } else if (is_lost && block.references() == 1) {
    block.flags |= kErrorObserved;
    scheduler_.report_unhandled(block, block.error);
  }
  // In this order: finally handlers that run now in our parent keep it active without a gap.
  count_down(&ScopeState::living_, 1);
  if (!ScopeMembers::is_let_go(block)) count_down(&ScopeState::active_, 1);
}

void ScopeState::unpin() noexcept {
  if (--pins_ == 0) finish_if_done();
}

void ScopeState::drop_handle() noexcept {
  if (--handles_ == 0 && !closed_ && !is_root()) dispose_by_policy();
}

}  // namespace trueasync::detail
