// Cancellation (CXL-01…05). A request is sticky: it stays until the coroutine has ended. It is delivered at suspension
// points, except while
//   - protect() is on,
//   - a Cancelled of this coroutine exists: it is being unwound or handled, so cleanup may suspend (CA-01),
//   - the same of an error that tells of its scope's deadline,
//   - any exception unwinds the stack: a second one would end the process.
// In the final step of a shutdown only the last exception holds.
#include "scheduler/coroutine_extras.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

bool Scheduler::can_deliver_cancellation(const ControlBlock& block) const noexcept {
  const unsigned unwinding = &block == current_ ? eh_globals_->uncaught : block.context.eh.uncaught;
  if (unwinding != 0) return false;
  if (block.flags & kShutdownForced) return true;
  if (block.protect_depth != 0 || block.cancellations_in_flight != 0) return false;
  return !block.extras || !block.extras->has_deadline_error_in_flight();
}

bool Scheduler::cancel(ControlBlock& block) noexcept {
  if (!block.is_alive()) return false;
  if (host_ && host_->on_cancel) {
    NoSuspend guard(*this, "what a host does about a cancellation");
    host_->on_cancel(block);
  }
  block.flags |= kCancelRequested;
  switch (block.phase) {
    case Phase::created:
      block.waker().set_state(WakerState::ignored);  // never starts; finalised when its turn comes
      break;
    case Phase::running:
      // Itself: at its next suspension (CA-07). But a microtask, a switch handler or a look at the reactor runs while
      // it is on its way into or out of a wait: then it is as good as suspended.
      if (block.waker().state() == WakerState::none) break;
      [[fallthrough]];
    case Phase::suspended:
      if (!can_deliver_cancellation(block)) break;
      if (!block.waker().wake(WakeReason::cancelled, *this) && block.waker().override_reason(WakeReason::cancelled)) {
        block.error = nullptr;  // an error it was to be woken with
      }
      break;
    case Phase::finished:
      break;
  }
  return true;
}

void Scheduler::deliver_deadline(ControlBlock& block) noexcept {
  if (!block.is_alive()) return;
  block.flags |= kDeadlinePassed;
  if (block.waker().state() != WakerState::waiting || !can_deliver_cancellation(block)) return;
  block.error = block.owner->deadline_error(block);
  block.waker().wake(WakeReason::error, *this);
}

}  // namespace trueasync::detail
