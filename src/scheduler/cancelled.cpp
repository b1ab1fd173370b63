#include "scheduler/api_support.hpp"
#include "trueasync/cancel.hpp"

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
