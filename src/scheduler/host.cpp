// A host whose engine has died: it can't run the coroutines' code any more, not even to unwind them.
#include "base/check.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

// Whoever was at work when it happened was jumped over.
void Scheduler::forget_jumped_over() noexcept {
  host_died_ = true;
  no_suspend_ = nullptr;
  mark_slow(kNoSuspend, false);
  looking_ = false;
  settling_ = nullptr;
}

// While main's frames are whole: scopes and iterations settle, so nothing is left that main could wait for on its way out.
void Scheduler::leave_to_main() noexcept {
  TRUEASYNC_CHECK(current_ != main_, "main can't be left for main");
  ControlBlock& self = *current_;
  forget_jumped_over();
  Waker& waker = main_->waker();
  if (!waker.wake(WakeReason::cancelled, *this)) waker.overtake(WakeReason::cancelled);
  on_leave(self, main_);
  self.phase = Phase::suspended;
  main_->phase = Phase::running;
  current_ = main_;
  dead_context_ = self.context.sanitizer;
  abandon_others();
  static thread_local Context gone;  // not among the locals: ASan's may be gone before the switch is over
  leave_context(gone, main_->context, eh_globals_);
}

// In two rounds, so that nobody is woken by the end of another. What the end of a scope begins meanwhile is given up, too.
void Scheduler::abandon_others() noexcept {
  forget_jumped_over();
  microtasks_.clear();
  mark_slow(kMicrotasksQueued, false);
  const auto others = [this] {
    std::vector<ControlBlock*> found = living();
    std::erase(found, main_);
    return found;
  };
  for (std::vector<ControlBlock*> lost = others(); !lost.empty(); lost = others()) {
    for (ControlBlock* block : lost) {
      block->waker().give_up();
      block->waker().set_state(WakerState::ignored);
    }
    for (ControlBlock* block : lost) {
      if (!block->stack) block->pool->unreserve();
      give_up(*block);
    }
  }
  while (!ready_.empty()) ready_.pop(nullptr);
  mark_slow(kWokenWaiting, false);
  alive_ = zombies_ = 0;
  // Nothing will ever look at their frames again once this scheduler is gone.
  stacks_.let_abandoned_go();
}

void Scheduler::begin_again() noexcept {
  TRUEASYNC_CHECK(alive_ == 0 && zombies_ == 0, "others live still");
  shutting_down_ = forced_ = asked_to_end_ = false;
  reactor_.deadlines().cancel(shutdown_deadline_);
  main_->flags &= static_cast<std::uint16_t>(~(kCancelRequested | kForced));
  main_->refused_waits = 0;
}

}  // namespace trueasync::detail
