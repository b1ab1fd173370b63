#include "scope/lazy_scope.hpp"

#include "base/check.hpp"

namespace trueasync::detail {

CoroutineOwner& LazyScope::home() const {
  if (!above_) return ScopeState::root(scheduler_);
  auto* lazy = dynamic_cast<LazyScope*>(above_);
  return lazy ? lazy->home() : *above_;
}

ScopeState* LazyScope::present(CoroutineOwner* owner) noexcept {
  while (auto* lazy = dynamic_cast<LazyScope*>(owner)) {
    if (lazy->made_) return lazy->made_.get();
    owner = lazy->above_;
  }
  return static_cast<ScopeState*>(owner);
}

ScopeState& LazyScope::scope() {
  if (made_) return *made_;
  ScopeState& parent = above_ ? ScopeState::of(*above_) : ScopeState::root(scheduler_);
  if (parent.is_closed()) return parent;
  made_ = ScopeState::make(scheduler_, &parent);
  made_->on_error = on_error;
  return *made_;
}

std::exception_ptr LazyScope::deadline_error(ControlBlock& block) noexcept {
  TRUEASYNC_CHECK(above_, "the root has no deadline");
  return above_->deadline_error(block);
}

}  // namespace trueasync::detail
