// CoroutineOwner: all the scheduler knows of scopes. Every coroutine belongs to one owner; null is the runtime's root,
// which costs nothing. spawn() inherits the owner of the coroutine that spawns.
//
// Lifetime: the owner keeps itself alive from adopt() to let_go(). Threads: the scheduler's.
#pragma once

#include <exception>

namespace trueasync::detail {

struct ControlBlock;

class CoroutineOwner {
 public:
  // A new coroutine is to belong here: sets block.owner, or refuses by throwing.
  virtual void attach(ControlBlock& block) = 0;
  // It has ended, or was taken back before it was submitted (outcome none).
  virtual void on_finished(ControlBlock& block) noexcept = 0;
  // The coroutine needs this owner no more.
  virtual void release_owner() noexcept = 0;
  // Nobody can await this error any more. True: dealt with; false: it goes to the runtime.
  virtual bool handle_unobserved_error(ControlBlock& block, const std::exception_ptr& error) noexcept = 0;
  // What a wait ends with that begins after the owner's deadline (kDeadlinePassed).
  virtual std::exception_ptr deadline_error(ControlBlock& block) noexcept = 0;

 protected:
  ~CoroutineOwner() = default;
};

}  // namespace trueasync::detail
