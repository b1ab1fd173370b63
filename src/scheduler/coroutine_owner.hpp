// CoroutineOwner: the scheduler's interface to scopes. Every coroutine has one owner; null is the runtime's root. A
// spawned coroutine inherits the owner of the spawning coroutine.
//
// Lifetime: the owner keeps itself alive from attach() to release_owner().
// Thread safety: the scheduler's thread.
#pragma once

#include <exception>

namespace trueasync::detail {

struct ControlBlock;

class CoroutineOwner {
 public:
  // Takes ownership of a new coroutine: sets block.owner, or throws to reject it.
  virtual void attach(ControlBlock& block) = 0;
  // The coroutine has finished, or was discarded before submit() (Outcome::none).
  virtual void on_finished(ControlBlock& block) noexcept = 0;
  // The coroutine releases this owner.
  virtual void release_owner() noexcept = 0;
  // No coroutine can await this error any more. Returns true if the owner handled it; otherwise the runtime does.
  virtual bool handle_unobserved_error(ControlBlock& block, const std::exception_ptr& error) noexcept = 0;
  // The error of a wait after the owner's deadline has passed (kDeadlinePassed).
  virtual std::exception_ptr deadline_error(ControlBlock& block) noexcept = 0;

 protected:
  ~CoroutineOwner() = default;
};

}  // namespace trueasync::detail
