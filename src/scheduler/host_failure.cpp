// Failure of a host's engine: the host cannot run the coroutines' code any more, not even to unwind their stacks.
#include "base/check.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

// The host's longjmp skipped the destructors of guards that were active: resets the state they would have restored.
void Scheduler::reset_after_longjmp() noexcept {
  host_died_ = true;
  no_suspend_ = nullptr;
  set_slow_path(kNoSuspend, false);
  polling_ = false;
  settling_ = nullptr;
}

// Main's frames are intact. Scopes and iterations settle, so main has nothing left to wait for while it unwinds.
void Scheduler::abandon_to_main() noexcept {
  TRUEASYNC_CHECK(current_ != main_, "abandon_to_main() called by main");
  ControlBlock& self = *current_;
  reset_after_longjmp();
  Waker& waker = main_->waker();
  if (!waker.wake(WakeReason::cancelled, *this)) waker.override_reason(WakeReason::cancelled);
  run_leave_hooks(self, main_);
  self.phase = Phase::suspended;
  main_->phase = Phase::running;
  current_ = main_;
  exited_context_ = self.context.sanitizer;
  abandon_others();
  static thread_local Context exited;  // not a local: ASan may free its fake frame before the switch is done
  exit_to_context(exited, main_->context, eh_globals_);
}

// First ends all waits, then abandons the coroutines, so that no abandoned coroutine wakes another one. The outer loop
// abandons coroutines that a scope spawns while it finishes.
void Scheduler::abandon_others() noexcept {
  reset_after_longjmp();
  microtasks_.clear();
  set_slow_path(kMicrotasksQueued, false);
  const auto others = [this] {
    std::vector<ControlBlock*> found = live_coroutines();
    std::erase(found, main_);
    return found;
  };
  for (std::vector<ControlBlock*> batch = others(); !batch.empty(); batch = others()) {
    for (ControlBlock* block : batch) {
      block->waker().abandon_wait();
      block->waker().set_state(WakerState::ignored);
    }
    for (ControlBlock* block : batch) {
      if (!block->stack) block->pool->unreserve();
      abandon(*block);
    }
  }
  while (!ready_.empty()) ready_.pop(nullptr);
  set_slow_path(kReactorQueueNotEmpty, false);
  alive_ = zombies_ = 0;
  // No code reads the abandoned frames after this scheduler is destroyed.
  stacks_.unmap_abandoned_on_destroy();
}

void Scheduler::reset_after_shutdown() noexcept {
  TRUEASYNC_CHECK(alive_ == 0 && zombies_ == 0, "reset_after_shutdown() with live coroutines");
  shutting_down_ = shutdown_forced_ = cancelled_before_failure_ = false;
  reactor_.timers().cancel(shutdown_timer_);
  main_->flags &= static_cast<std::uint16_t>(~(kCancelRequested | kShutdownForced));
  main_->interrupted_waits = 0;
}

}  // namespace trueasync::detail
