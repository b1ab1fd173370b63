// Unhandled errors and shutdown:
//   1. shut_down() sets the flag and keeps the first error, which run() throws,
//   2. every coroutine is cancelled; its cleanup runs and may suspend,
//   3. a second failure, the shutdown timeout or a deadlock forces the shutdown: no wait suspends any more,
//   4. coroutines that still do not finish are abandoned and counted in the leak report.
#include "reactor/timer_queue.hpp"
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/cancel.hpp"

namespace trueasync::detail {

namespace {

// Whether `error` is the Cancelled of the coroutine that threw it. That is the normal end of a cancelled coroutine.
bool is_own_cancellation(const std::exception_ptr& error) noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled& cancelled) {
    return cancelled.is_own();
  } catch (...) {
    return false;
  }
}

}  // namespace

void Scheduler::report_unhandled(ControlBlock& block, std::exception_ptr error, const char* origin) noexcept {
  NoSuspend guard(*this, "the handler of unhandled errors");
  CoroutineOwner* owner = block.owner ? block.owner : root_owner_;
  if (owner && !origin && owner->handle_unobserved_error(block, error)) return;
  if (options_.on_unhandled) {
    try {
      if (options_.on_unhandled(block, error)) return;
    } catch (...) {
      error = std::current_exception();
    }
  }
  const bool is_first = keep_failure(std::move(error));
  if (is_first && origin) failure_origin_ = origin;
  if (is_first && !origin) {
    failure_origin_ = "coroutine " + coroutine_label(block) + ", spawned at " + format_location(block.spawn_location);
  }
  if (shutting_down_) return force_shutdown();
  shut_down(nullptr);
}

// Keeps the first error for run(). A later error replaces it if it is only main's cancellation by the shutdown. Returns
// true if `error` was kept.
bool Scheduler::keep_failure(std::exception_ptr error) noexcept {
  if (!error || (failure_ && !is_own_cancellation(failure_))) return false;
  failure_ = std::move(error);
  return true;
}

void Scheduler::shut_down(std::exception_ptr error) noexcept {
  if (error && main_ && (main_->flags & kCancelRequested)) cancelled_before_failure_ = true;
  const bool is_failure = error && !is_own_cancellation(error);
  keep_failure(std::move(error));
  if (!attached_) return;
  if (std::exchange(shutting_down_, true)) return escalate_shutdown(is_failure);
  if (options_.shutdown_timeout) {
    reactor_.timers().arm(shutdown_timer_, deadline_after(reactor_.now(), *options_.shutdown_timeout),
                          TimerQueue::Liveness::background);
  }
  for (ControlBlock* block : live_coroutines()) cancel(*block);
}

// Coroutines spawned since the first request are not cancelled yet.
void Scheduler::escalate_shutdown(bool is_failure) noexcept {
  if (is_failure) return force_shutdown();
  for (ControlBlock* block : live_coroutines()) {
    if (!(block->flags & kCancelRequested)) cancel(*block);
  }
}

void Scheduler::on_shutdown_timeout(Timer& timer) noexcept {
  static_cast<ShutdownTimer&>(timer).scheduler.force_shutdown();
}

void Scheduler::force_shutdown() noexcept {
  if (shutdown_forced_) return;
  shutdown_forced_ = true;
  for (ControlBlock* block : live_coroutines()) {
    // A draining main must keep waiting until the other coroutines have finished.
    if (block == main_ && draining_) continue;
    block->flags |= kShutdownForced;
    cancel(*block);
  }
}

}  // namespace trueasync::detail
