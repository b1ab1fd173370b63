// LazyScope: a child scope that is made when the first coroutine is spawned there or somebody asks for it by name. A
// coroutine enters by having it as its owner for a while; it stays a member of the scope it was spawned in, so entering
// costs two stores. What happens to the scope happens to those who have entered too, through the listener.
//
// Lifetime: outlives whoever has entered. Threads: the scheduler's.
#pragma once

#include "scope/scope_state.hpp"

namespace trueasync::detail {

// What the one whom a LazyScope belongs to hears.
class LazyScopeListener : public ScopeListener {
 public:
  // A coroutine that has entered will never run again.
  virtual void on_abandoned(ControlBlock& block) noexcept = 0;

 protected:
  ~LazyScopeListener() = default;
};

class LazyScope final : public CoroutineOwner {
 public:
  LazyScope(Scheduler& scheduler, CoroutineOwner* above, LazyScopeListener& listener) noexcept
      : scheduler_(scheduler), parent_(above), listener_(listener) {}

  // The one it stands for. Where the scope above is closed that one itself, so that spawning fails as it does there.
  ScopeState& scope();
  // Null as long as nobody needed it.
  ScopeState* scope_if_created() const noexcept { return made_.get(); }
  // Nobody is in it any more: from now on it is like any other scope that was disposed of.
  void dispose_if_created() noexcept;
  // Where those belong who only enter, one and all: the first scope above that is no lazy one.
  CoroutineOwner& enclosing_scope() const;
  // The scope `owner` is, or stands for, as far as it has been made; null: the root.
  static ScopeState* existing_scope_of(CoroutineOwner* owner) noexcept;
  // The scope is made with it.
  ScopeErrorHandler on_error;

  // Both return what the coroutine's owner was, or is again.
  CoroutineOwner* enter(ControlBlock& block) noexcept;
  void leave(ControlBlock& block, CoroutineOwner* owner) noexcept;
  // Ends the wait of one that has entered and keeps it from others, by Cancelled, until it leaves. Unlike a
  // cancellation nothing of it stays. One at most.
  void interrupt(ControlBlock& block) noexcept;

  // The part of an owner that is a place to spawn in.
  void attach(ControlBlock& block) override { scope().attach(block); }
  // The part that is for members: they are the home's. Who has entered does not end here, unless it was given up.
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
  // Whether the waits of this one are refused under that owner.
  static bool interrupts_waits(CoroutineOwner* owner, const ControlBlock& block) noexcept;

  Scheduler& scheduler_;
  CoroutineOwner* parent_;  // null: the root
  LazyScopeListener& listener_;
  Ref<ScopeState> made_;
  ControlBlock* interrupted_ = nullptr;
};

}  // namespace trueasync::detail
