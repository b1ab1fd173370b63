// Deadlock (DLK-01/02). Called by the loop when nothing is ready and no visible event or deadline is active – asked at
// that very moment, so it is sound: only a coroutine could fire what is left, and none can run.
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/detail/deadlock_handler.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// Whoever waits for something that can say so itself is told there: it knows best what to do about it (CH-14). Zombies
// are not asked, their wait is nobody's trouble.
bool notify_deadlock_handlers(const Scheduler& scheduler, const std::string& report) {
  bool any = false;
  for (ControlBlock* block : scheduler.live_coroutines()) {
    if ((block->flags & kZombie) || block->waker().state() != WakerState::waiting) continue;
    // One at most: being told may end the wait, and the entries with it.
    for (const WaitEntry& entry : block->waker().entries()) {
      auto* event = entry.is_token || entry.fired ? nullptr : dynamic_cast<DeadlockHandler*>(entry.event);
      if (!event || !event->on_deadlock(report)) continue;
      any = true;
      break;
    }
  }
  return any;
}

}  // namespace

void Scheduler::resolve_deadlock() noexcept {
  if (shutting_down_) {
    if (!shutdown_forced_) return force_shutdown();
    // Forced, and still nobody runs: give up what is left.
    abandoned_ += std::exchange(alive_, 0) + std::exchange(zombies_, 0);
    const std::vector<ControlBlock*> lost = live_coroutines();
    for (ControlBlock* block : lost) {
      if (block == main_) continue;
      block->waker().abandon_wait();                  // it stands in nobody's way
      block->waker().set_state(WakerState::ignored);  // nothing may wake it again
    }
    for (ControlBlock* block : lost) {
      if (block != main_ && block->owner) detach_from_owner(*block);  // nobody shall wait for its end
    }
    const WakeReason reason = draining_ ? WakeReason::event : WakeReason::cancelled;
    const bool is_main_woken = main_->waker().state() == WakerState::queued;  // it was one that waited for them
    TRUEASYNC_CHECK(is_main_woken || main_->waker().wake(reason, *this), "nothing can run, not even main");
    return;
  }
  ++statistics_.deadlocks;
  std::string report = "deadlock: every coroutine is suspended and nothing can wake any of them\n" + format_dump(*this);
  if (auto cycle = find_wait_cycle(*this); !cycle.empty()) report += "  they wait in a ring: " + cycle + "\n";
  if (notify_deadlock_handlers(*this, report)) return;
  auto error = std::make_exception_ptr(DeadlockError(report));
  if (draining_) return shut_down(error);
  // Main is told, at its suspension point: it may catch the error and go on.
  main_->error = error;
  TRUEASYNC_CHECK(main_->waker().wake(WakeReason::error, *this), "a deadlock with main neither waiting nor draining");
}

}  // namespace trueasync::detail
