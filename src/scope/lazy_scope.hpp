// LazyScope: a child scope that is created when a coroutine is spawned in it or when Scope::current() is called there.
//
// A coroutine enters a LazyScope by having it as its owner for a while. It stays a member of the scope it was spawned
// in, so entering costs two stores. The listener is notified of the events of the scope and forwards them to the
// coroutines that have entered.
//
// Lifetime: must outlive the coroutines that have entered.
// Thread safety: the scheduler's thread.
#pragma once

#include "scope/scope_state.hpp"

namespace trueasync::detail {

// LazyScopeListener: notified about the created scope and about the coroutines that have entered.
class LazyScopeListener : public ScopeListener {
 public:
  // A coroutine that has entered was abandoned: it never runs again.
  virtual void on_abandoned(ControlBlock& block) noexcept = 0;

 protected:
  ~LazyScopeListener() = default;
};

class LazyScope final : public CoroutineOwner {
 public:
  // `parent` null: the root scope.
  LazyScope(Scheduler& scheduler, CoroutineOwner* parent, LazyScopeListener& listener) noexcept
      : scheduler_(scheduler), parent_(parent), listener_(listener) {}

  // The scope; creates it on the first call. Returns the parent if the parent is closed: a spawn then fails as it does
  // in the parent.
  ScopeState& scope();
  // Null if the scope was not created.
  ScopeState* scope_if_created() const noexcept { return scope_.get(); }
  // Disposes the scope. No coroutine may be inside the LazyScope any more.
  void dispose_if_created() noexcept;
  // The nearest enclosing scope that is not lazy.
  CoroutineOwner& enclosing_scope() const;
  // The nearest existing scope of `owner`, without creating one; null: the root scope.
  static ScopeState* existing_scope_of(CoroutineOwner* owner) noexcept;
  // The exception handler of the created scope.
  ScopeErrorHandler on_error;

  // enter() returns the previous owner of the coroutine, which leave() restores.
  CoroutineOwner* enter(ControlBlock& block) noexcept;
  void leave(ControlBlock& block, CoroutineOwner* owner) noexcept;
  // Ends the wait of a coroutine that has entered with Cancelled, and every later wait until leave(). Unlike a
  // cancellation, it has no effect after leave(). For one coroutine at most.
  void interrupt(ControlBlock& block) noexcept;

  // CoroutineOwner: spawning creates the scope.
  void attach(ControlBlock& block) override { scope().attach(block); }
  // CoroutineOwner: the other functions forward to the parent, where the entered coroutine is a member. A coroutine can
  // finish while inside only if it was abandoned.
  void on_finished(ControlBlock& block) noexcept override;
  void release_owner() noexcept override {
    if (parent_) parent_->release_owner();
  }
  bool handle_unobserved_error(ControlBlock& block, const std::exception_ptr& error) noexcept override {
    CoroutineOwner* owner = parent_ ? parent_ : scheduler_.root_owner();
    return owner && owner->handle_unobserved_error(block, error);
  }
  std::exception_ptr deadline_error(ControlBlock& block) noexcept override;

 private:
  // Whether the waits of the coroutine are interrupted under that owner.
  static bool interrupts_waits(CoroutineOwner* owner, const ControlBlock& block) noexcept;

  Scheduler& scheduler_;
  CoroutineOwner* parent_;  // null: the root scope
  LazyScopeListener& listener_;
  Ref<ScopeState> scope_;  // null until it is created
  ControlBlock* interrupted_ = nullptr;
};

}  // namespace trueasync::detail
