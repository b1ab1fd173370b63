// Errors nobody awaits, and the graceful shutdown (SHU-01…03):
//   1. the flag is set, the first error is kept for run() to throw,
//   2. every coroutine is asked to end: it gets the cancellation, its cleanup runs and may suspend,
//   3. a second failure, the deadline or a deadlock forces the end: no wait suspends any more,
//   4. what still refuses to end is given up and counted.
#include "reactor/timer_queue.hpp"
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/cancel.hpp"

namespace trueasync::detail {

namespace {

// What a coroutine ends with that was asked to: no failure.
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

void Scheduler::report_unhandled(ControlBlock& block, std::exception_ptr error, const char* what) noexcept {
  NoSuspend guard(*this, "the handler of unhandled errors");
  CoroutineOwner* owner = block.owner ? block.owner : root_owner_;
  if (owner && !what && owner->handle_unobserved_error(block, error)) return;
  if (options_.on_unhandled) {
    try {
      if (options_.on_unhandled(block, error)) return;
    } catch (...) {
      error = std::current_exception();
    }
  }
  const bool is_first = keep_failure(std::move(error));
  if (is_first && what) failure_origin_ = what;
  if (is_first && !what) {
    failure_origin_ = "coroutine " + coroutine_label(block) + ", spawned at " + format_location(block.spawn_location);
  }
  if (shutting_down_) return force_shutdown();
  shut_down(nullptr);
}

// The first error is the one to report; that main was cancelled by the shutdown itself is none. True if it was kept.
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
  if (options_.shutdown_timeout.count() > 0) {
    reactor_.timers().arm(shutdown_deadline_, deadline_after(reactor_.now(), options_.shutdown_timeout),
                          TimerQueue::Liveness::background);
  }
  for (ControlBlock* block : live_coroutines()) cancel(*block);
}

// Those that were spawned since have not been asked yet.
void Scheduler::escalate_shutdown(bool is_failure) noexcept {
  if (is_failure) return force_shutdown();
  for (ControlBlock* block : live_coroutines()) {
    if (!(block->flags & kCancelRequested)) cancel(*block);
  }
}

void Scheduler::on_shutdown_deadline(Timer& deadline) noexcept {
  static_cast<ShutdownTimer&>(deadline).scheduler.force_shutdown();
}

void Scheduler::force_shutdown() noexcept {
  if (shutdown_forced_) return;
  shutdown_forced_ = true;
  for (ControlBlock* block : live_coroutines()) {
    // Main stays where it is when it only waits for the others.
    if (block == main_ && draining_) continue;
    block->flags |= kShutdownForced;
    cancel(*block);
  }
}

}  // namespace trueasync::detail
