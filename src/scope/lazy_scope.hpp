// LazyScope: a child scope that is made when the first coroutine is spawned there or somebody asks for it by name. A
// coroutine enters by having it as its owner for a while; it stays a member of the scope it was spawned in, so entering
// costs two stores.
//
// Lifetime: outlives whoever has entered. Threads: the scheduler's.
#pragma once

#include "scope/scope_state.hpp"

namespace trueasync::detail {

class LazyScope final : public CoroutineOwner {
 public:
  LazyScope(Scheduler& scheduler, CoroutineOwner* above) noexcept : scheduler_(scheduler), above_(above) {}

  // The one it stands for. Where the scope above is closed that one itself, so that spawning fails as it does there.
  ScopeState& scope();
  // Null as long as nobody needed it.
  ScopeState* made() const noexcept { return made_.get(); }
  // Where those belong who only enter, one and all: the first scope above that is no lazy one.
  CoroutineOwner& home() const;
  // The scope `owner` is, or stands for, as far as it has been made; null: the root.
  static ScopeState* present(CoroutineOwner* owner) noexcept;
  // The scope is made with it.
  ScopeErrorHandler on_error;

  // The part of an owner that is a place to spawn in.
  void adopt(ControlBlock& block) override { scope().adopt(block); }
  // The part that is for members: they are the home's.
  void on_finished(ControlBlock& block) noexcept override {
    if (above_) above_->on_finished(block);
  }
  void let_go() noexcept override {
    if (above_) above_->let_go();
  }
  bool claim_error(ControlBlock& block, const std::exception_ptr& error) noexcept override {
    CoroutineOwner* owner = above_ ? above_ : scheduler_.root_owner();
    return owner && owner->claim_error(block, error);
  }
  std::exception_ptr deadline_error(ControlBlock& block) noexcept override;

 private:
  Scheduler& scheduler_;
  CoroutineOwner* above_;  // null: the root
  Ref<ScopeState> made_;
};

}  // namespace trueasync::detail
