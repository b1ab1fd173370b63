// Deadlock detection. The loop calls it when no coroutine is ready and no foreground event or timer is active. There
// are no false positives: only a coroutine could fire the remaining events, and none can run.
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/detail/deadlock_handler.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// Lets an awaited event with a DeadlockHandler end its waits with an error of its own. Zombies are skipped: their waits
// are not part of the deadlock. Returns true if a handler ended a wait.
bool notify_deadlock_handlers(const Scheduler& scheduler, const std::string& report) {
  bool any = false;
  for (ControlBlock* block : scheduler.live_coroutines()) {
    if ((block->flags & kZombie) || block->waker().state() != WakerState::waiting) continue;
    // At most one handler per coroutine: it may end the wait and destroy the entries.
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
    // The shutdown is forced and still no coroutine can run: abandon all of them.
    abandoned_ += std::exchange(alive_, 0) + std::exchange(zombies_, 0);
    const std::vector<ControlBlock*> abandoned = live_coroutines();
    for (ControlBlock* block : abandoned) {
      if (block == main_) continue;
      block->waker().abandon_wait();                  // it must not block the waiters behind it
      block->waker().set_state(WakerState::ignored);  // nothing may wake it again
    }
    for (ControlBlock* block : abandoned) {
      if (block != main_ && block->owner) detach_from_owner(*block);  // its scope must not wait for it
    }
    const WakeReason reason = draining_ ? WakeReason::event : WakeReason::cancelled;
    const bool is_main_woken = main_->waker().state() == WakerState::queued;  // main waited for an abandoned coroutine
    TRUEASYNC_CHECK(is_main_woken || main_->waker().wake(reason, *this), "forced shutdown cannot wake main");
    return;
  }
  ++statistics_.deadlocks;
  std::string report = "deadlock: every coroutine is suspended and nothing can wake any of them\n" + format_dump(*this);
  if (auto cycle = find_wait_cycle(*this); !cycle.empty()) report += "  wait cycle: " + cycle + "\n";
  if (notify_deadlock_handlers(*this, report)) return;
  auto error = std::make_exception_ptr(DeadlockError(report));
  if (draining_) return shut_down(error);
  // Main gets the error at its suspension point, and may catch it and continue.
  main_->error = error;
  TRUEASYNC_CHECK(main_->waker().wake(WakeReason::error, *this), "deadlock while main neither waits nor drains");
}

}  // namespace trueasync::detail
