// A host whose engine has died: it can't run the coroutines' code any more, not even to unwind them.
#include "base/check.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

void Scheduler::leave_to_main() noexcept {
  TRUEASYNC_CHECK(current_ != main_, "main can't be left for main");
  ControlBlock& self = *current_;
  // Whoever was at work when it happened was jumped over.
  no_suspend_ = nullptr;
  mark_slow(kNoSuspend, false);
  looking_ = false;
  host_died_ = true;
  Waker& waker = main_->waker();
  if (!waker.wake(WakeReason::cancelled, *this)) waker.overtake(WakeReason::cancelled);
  self.waker().set_state(WakerState::ignored);
  self.phase = Phase::suspended;
  on_leave(self, main_);
  main_->phase = Phase::running;
  current_ = main_;
  switch_context(self.context, main_->context, eh_globals_);
  __builtin_unreachable();
}

void Scheduler::abandon_others() noexcept {
  host_died_ = true;
  microtasks_.clear();
  mark_slow(kMicrotasksQueued, false);
  while (!ready_.empty()) ready_.pop(nullptr);
  for (ControlBlock* block : living()) {
    if (block == main_) continue;
    if (!block->stack) block->pool->unreserve();
    give_up(*block);
  }
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
