// Deadlock (DLK-01/02). Called by the loop when nothing is ready and no visible event or deadline is active – asked at
// that very moment, so it is sound: only a coroutine could fire what is left, and none can run.
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/detail/stuck_wait.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// Whoever waits for something that can say so itself is told there: it knows best what to do about it (CH-14). Zombies
// are not asked, their wait is nobody's trouble.
bool end_stuck_waits(const Scheduler& scheduler, const std::string& report) {
  bool any = false;
  for (ControlBlock* block : scheduler.living()) {
    if ((block->flags & kZombie) || block->waker().state() != WakerState::waiting) continue;
    // One at most: being told may end the wait, and the entries with it.
    for (const WaitEntry& entry : block->waker().entries()) {
      auto* event = entry.is_token || entry.fired ? nullptr : dynamic_cast<StuckWait*>(entry.event);
      if (!event || !event->end_deadlock(report)) continue;
      any = true;
      break;
    }
  }
  return any;
}

}  // namespace

void Scheduler::resolve_deadlock() noexcept {
  if (shutting_down_) {
    if (!forced_) return force_end();
    // Forced, and still nobody runs: give up what is left.
    abandoned_ += std::exchange(alive_, 0) + std::exchange(zombies_, 0);
    const std::vector<ControlBlock*> lost = living();
    for (ControlBlock* block : lost) {
      if (block == main_) continue;
      block->waker().give_up();                       // it stands in nobody's way
      block->waker().set_state(WakerState::ignored);  // nothing may wake it again
    }
    for (ControlBlock* block : lost) {
      if (block != main_ && block->owner) leave_owner(*block);  // nobody shall wait for its end
    }
    const WakeReason reason = draining_ ? WakeReason::event : WakeReason::cancelled;
    const bool is_told = main_->waker().state() == WakerState::queued;  // it was one that waited for them
    TRUEASYNC_CHECK(is_told || main_->waker().wake(reason, *this), "nothing can run, not even main");
    return;
  }
  ++statistics_.deadlocks;
  std::string report = "deadlock: every coroutine is suspended and nothing can wake any of them\n" + dump_text(*this);
  if (auto cycle = wait_cycle(*this); !cycle.empty()) report += "  they wait in a ring: " + cycle + "\n";
  if (end_stuck_waits(*this, report)) return;
  auto error = std::make_exception_ptr(DeadlockError(report));
  if (draining_) return shut_down(error);
  // Main is told, at its suspension point: it may catch the error and go on.
  main_->error = error;
  TRUEASYNC_CHECK(main_->waker().wake(WakeReason::error, *this), "a deadlock with main neither waiting nor draining");
}

}  // namespace trueasync::detail
