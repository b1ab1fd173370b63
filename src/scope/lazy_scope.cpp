#include "scope/lazy_scope.hpp"

#include "base/check.hpp"
#include "trueasync/cancel.hpp"

namespace trueasync::detail {

CoroutineOwner& LazyScope::enclosing_scope() const {
  if (!parent_) return ScopeState::root(scheduler_);
  auto* lazy = dynamic_cast<LazyScope*>(parent_);
  return lazy ? lazy->enclosing_scope() : *parent_;
}

ScopeState* LazyScope::existing_scope_of(CoroutineOwner* owner) noexcept {
  while (auto* lazy = dynamic_cast<LazyScope*>(owner)) {
    if (lazy->scope_) return lazy->scope_.get();
    owner = lazy->parent_;
  }
  return static_cast<ScopeState*>(owner);
}

// The scope is pinned: disposing the parent must not finish it while coroutines are inside.
ScopeState& LazyScope::scope() {
  if (scope_) return *scope_;
  ScopeState& parent = parent_ ? ScopeState::of(*parent_) : ScopeState::root(scheduler_);
  if (parent.is_closed()) return parent;
  scope_ = ScopeState::make(scheduler_, &parent);
  scope_->pin();
  scope_->set_has_external_workers(true);
  scope_->on_error = on_error;
  scope_->listener = &listener_;
  return *scope_;
}

void LazyScope::dispose_if_created() noexcept {
  if (!scope_) return;
  scope_->on_error = nullptr;
  scope_->listener = nullptr;
  scope_->set_has_external_workers(false);
  scope_->unpin();
  scope_->dispose_by_policy();
}

CoroutineOwner* LazyScope::enter(ControlBlock& block) noexcept {
  if (scope_ && scope_->is_expired()) block.flags |= kDeadlinePassed;
  return std::exchange(block.owner, this);
}

void LazyScope::leave(ControlBlock& block, CoroutineOwner* owner) noexcept {
  block.owner = owner;
  if ((block.flags & kDeadlinePassed) && !interrupts_waits(owner, block)) {
    block.flags &= static_cast<std::uint16_t>(~kDeadlinePassed);
  }
}

bool LazyScope::interrupts_waits(CoroutineOwner* owner, const ControlBlock& block) noexcept {
  while (auto* lazy = dynamic_cast<LazyScope*>(owner)) {
    if (lazy->interrupted_ == &block || (lazy->scope_ && lazy->scope_->is_expired())) return true;
    owner = lazy->parent_;
  }
  return owner && static_cast<ScopeState*>(owner)->is_expired();
}

void LazyScope::interrupt(ControlBlock& block) noexcept {
  interrupted_ = &block;
  scheduler_.deliver_deadline(block);
}

void LazyScope::on_finished(ControlBlock& block) noexcept {
  listener_.on_abandoned(block);
  if (parent_) parent_->on_finished(block);
}

std::exception_ptr LazyScope::deadline_error(ControlBlock& block) noexcept {
  if (interrupted_ == &block) return std::make_exception_ptr(Access::cancelled("the iteration was stopped", &block));
  if (scope_ && scope_->is_expired()) return scope_->deadline_error(block);
  TRUEASYNC_CHECK(parent_, "deadline error requested for the root scope, which has no deadline");
  return parent_->deadline_error(block);
}

}  // namespace trueasync::detail
