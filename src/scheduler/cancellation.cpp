// Cancellation. A request is sticky: it stays until the coroutine has finished. It is delivered at suspension points,
// except while
//   - protect() is active,
//   - a Cancelled object of this coroutine exists: the coroutine unwinds or handles it, and cleanup may suspend,
//   - a deadline error of this coroutine exists, for the same reason,
//   - any exception unwinds the stack: a second exception would terminate the process.
// In a forced shutdown only the last rule applies.
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
    NoSuspend guard(*this, "the cancellation hook of a host");
    host_->on_cancel(block);
  }
  block.flags |= kCancelRequested;
  switch (block.phase) {
    case Phase::created:
      block.waker().set_state(WakerState::ignored);  // never starts; take_ready() finalizes it
      break;
    case Phase::running:
      // A coroutine that cancels itself gets the cancellation at its next suspension. But microtasks, switch handlers
      // and reactor callbacks run while the current coroutine enters or leaves a wait: it then counts as suspended.
      if (block.waker().state() == WakerState::none) break;
      [[fallthrough]];
    case Phase::suspended:
      if (!can_deliver_cancellation(block)) break;
      if (!block.waker().wake(WakeReason::cancelled, *this) && block.waker().override_reason(WakeReason::cancelled)) {
        block.error = nullptr;  // the error of the wake-up that this cancellation overrides
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

Cancelled::Cancelled(std::string message) noexcept : Cancelled(std::move(message), nullptr) {}

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
    : Cancelled(std::move(message)), cause_(std::move(cause)) {}

OperationCancelled::~OperationCancelled() = default;

namespace detail {

Outcome classify_current_exception(std::exception_ptr& error) noexcept {
  try {
    throw;
  } catch (const OperationCancelled&) {
    // A fired token is a failure, unless cancellation of the coroutine was requested as well.
    if (current_scheduler->running()->flags & kCancelRequested) return Outcome::cancelled;
    error = std::current_exception();
    return Outcome::error;
  } catch (const Cancelled&) {
    return Outcome::cancelled;  // its own, or that of a coroutine it awaited
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
