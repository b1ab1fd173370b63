// Cancellation (CXL-01…05). A request is sticky: it stays until the coroutine has ended. It is delivered at suspension
// points, except while
//   - protect() is on,
//   - a Cancelled of this coroutine exists: it is being unwound or handled, so cleanup may suspend (CA-01),
//   - the same of an error that tells of its scope's deadline,
//   - any exception unwinds the stack: a second one would end the process.
// In the final step of a shutdown only the last exception holds.
#include "scheduler/api_support.hpp"
#include "trueasync/cancel.hpp"

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

namespace trueasync {

Cancelled::Cancelled(std::string message, detail::ControlBlock* owner) noexcept
    : message_(std::move(message)), owner_(owner) {
  if (!owner_) return;
  owner_->retain();
  ++owner_->cancellations_in_flight;
}

Cancelled::Cancelled(const Cancelled& other) noexcept : Cancelled(other.message_, other.owner_) {}

Cancelled::~Cancelled() {
  if (!owner_) return;
  --owner_->cancellations_in_flight;
  owner_->release();
}

OperationCancelled::OperationCancelled(std::string message, std::exception_ptr cause) noexcept
    : Cancelled(std::move(message), nullptr), cause_(std::move(cause)) {}

OperationCancelled::~OperationCancelled() = default;

namespace detail {

Outcome classify_current_exception(std::exception_ptr& error) noexcept {
  try {
    throw;
  } catch (const OperationCancelled&) {
    // A token that ran out is a failure, unless the coroutine was asked to end anyway.
    if (current_scheduler->running()->flags & kCancelRequested) return Outcome::cancelled;
    error = std::current_exception();
    return Outcome::error;
  } catch (const Cancelled&) {
    return Outcome::cancelled;  // its own, or that of one it could not do without
  } catch (...) {
    error = std::current_exception();
    return Outcome::error;
  }
}

CancellationShield::CancellationShield() : block_(require_scheduler("protect").running()) { ++block_->protect_depth; }

CancellationShield::~CancellationShield() {
  if (block_) --block_->protect_depth;
}

void CancellationShield::deliver_deferred() {
  ControlBlock& block = *std::exchange(block_, nullptr);
  --block.protect_depth;
  if (!(block.flags & kInterrupts) || !block.scheduler->can_deliver_cancellation(block)) return;
  if (block.flags & kCancelRequested) throw_cancelled(block);
  if (block.flags & kDeadlinePassed) std::rethrow_exception(block.owner->deadline_error(block));
}

}  // namespace detail

}  // namespace trueasync
