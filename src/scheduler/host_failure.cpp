// A host whose engine has died: it can't run the coroutines' code any more, not even to unwind them.
#include "base/check.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

// Whoever was at work when it happened was jumped over.
void Scheduler::reset_after_longjmp() noexcept {
  host_died_ = true;
  no_suspend_ = nullptr;
  set_slow_path(kNoSuspend, false);
  polling_ = false;
  settling_ = nullptr;
}

// While main's frames are whole: scopes and iterations settle, so nothing is left that main could wait for on its way out.
void Scheduler::abandon_to_main() noexcept {
  TRUEASYNC_CHECK(current_ != main_, "main can't be left for main");
  ControlBlock& self = *current_;
  reset_after_longjmp();
  Waker& waker = main_->waker();
  if (!waker.wake(WakeReason::cancelled, *this)) waker.override_reason(WakeReason::cancelled);
  run_leave_hooks(self, main_);
  self.phase = Phase::suspended;
  main_->phase = Phase::running;
  current_ = main_;
  dead_context_ = self.context.sanitizer;
  abandon_others();
  static thread_local Context gone;  // not among the locals: ASan's may be gone before the switch is over
  exit_to_context(gone, main_->context, eh_globals_);
}

// In two rounds, so that nobody is woken by the end of another. What the end of a scope begins meanwhile is given up, too.
void Scheduler::abandon_others() noexcept {
  reset_after_longjmp();
  microtasks_.clear();
  set_slow_path(kMicrotasksQueued, false);
  const auto others = [this] {
    std::vector<ControlBlock*> found = live_coroutines();
    std::erase(found, main_);
    return found;
  };
  for (std::vector<ControlBlock*> lost = others(); !lost.empty(); lost = others()) {
    for (ControlBlock* block : lost) {
      block->waker().abandon_wait();
      block->waker().set_state(WakerState::ignored);
    }
    for (ControlBlock* block : lost) {
      if (!block->stack) block->pool->unreserve();
      abandon(*block);
    }
  }
  while (!ready_.empty()) ready_.pop(nullptr);
  set_slow_path(kReactorQueueNotEmpty, false);
  alive_ = zombies_ = 0;
  // Nothing will ever look at their frames again once this scheduler is gone.
  stacks_.unmap_abandoned_on_destroy();
}

void Scheduler::reset_after_shutdown() noexcept {
  TRUEASYNC_CHECK(alive_ == 0 && zombies_ == 0, "others live still");
  shutting_down_ = shutdown_forced_ = cancelled_before_failure_ = false;
  reactor_.timers().cancel(shutdown_deadline_);
  main_->flags &= static_cast<std::uint16_t>(~(kCancelRequested | kShutdownForced));
  main_->interrupted_waits = 0;
}

}  // namespace trueasync::detail
