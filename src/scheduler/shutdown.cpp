// Errors nobody awaits, and the graceful shutdown (SHU-01…03):
//   1. the flag is set, the first error is kept for run() to throw,
//   2. every coroutine is asked to end: it gets the cancellation, its cleanup runs and may suspend,
//   3. a second failure, the deadline or a deadlock forces the end: no wait suspends any more,
//   4. what still refuses to end is given up and counted.
#include "reactor/deadline_after.hpp"
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
  if (owner && !what && owner->claim_error(block, error)) return;
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
    failure_origin_ = "coroutine " + label(block) + ", spawned at " + place_text(block.spawn_place);
  }
  if (shutting_down_) return force_end();
  shut_down(nullptr);
}

// The first error is the one to report; that main was cancelled by the shutdown itself is none. True if it was kept.
bool Scheduler::keep_failure(std::exception_ptr error) noexcept {
  if (!error || (failure_ && !is_own_cancellation(failure_))) return false;
  failure_ = std::move(error);
  return true;
}

void Scheduler::shut_down(std::exception_ptr error) noexcept {
  if (error && main_ && (main_->flags & kCancelRequested)) asked_to_end_ = true;
  const bool is_failure = error && !is_own_cancellation(error);
  keep_failure(std::move(error));
  if (!attached_) return;
  if (std::exchange(shutting_down_, true)) return shut_down_again(is_failure);
  if (options_.shutdown_deadline.count() > 0) {
    reactor_.deadlines().arm(shutdown_deadline_, deadline_after(reactor_.now(), options_.shutdown_deadline),
                             DeadlineQueue::Visibility::hidden);
  }
  for (ControlBlock* block : living()) cancel(*block);
}

// Those that were spawned since have not been asked yet.
void Scheduler::shut_down_again(bool is_failure) noexcept {
  if (is_failure) return force_end();
  for (ControlBlock* block : living()) {
    if (!(block->flags & kCancelRequested)) cancel(*block);
  }
}

void Scheduler::on_shutdown_deadline(Deadline& deadline) noexcept {
  static_cast<ShutdownDeadline&>(deadline).scheduler.force_end();
}

void Scheduler::force_end() noexcept {
  if (forced_) return;
  forced_ = true;
  for (ControlBlock* block : living()) {
    // Main stays where it is when it only waits for the others.
    if (block == main_ && draining_) continue;
    block->flags |= kForced;
    cancel(*block);
  }
}

}  // namespace trueasync::detail
