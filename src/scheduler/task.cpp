// The untyped part of task.hpp: spawn and join.
#include "trueasync/task.hpp"

#include "scheduler/api_support.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

ControlBlock* spawn_begin(CoroutineOwner* owner, const SpawnOptions& options, const EntryOps& ops,
                          SourceLocation location, void*& storage) {
  ControlBlock& block = require_scheduler("spawn").create(ops, options, owner, location);
  storage = block.storage;
  return &block;
}

void spawn_commit(ControlBlock* block) noexcept { block->scheduler->submit(*block); }

void spawn_abort(ControlBlock* block) noexcept { block->scheduler->discard(*block); }

void* join(ControlBlock* block, WaitOptions options, Coroutine& keep_alive, SourceLocation location) {
  if (!block) throw MisuseError("await: the task is empty (moved from or never spawned)");
  if (block->is_alive()) {
    Scheduler& scheduler = require_owner_thread(*block, "await");
    if (scheduler.running() == block)
      throw MisuseError("coroutine " + coroutine_label(*block) + " cannot await itself");
    keep_alive = Access::coroutine(block);
    wait_for_event(scheduler, *block, options, location);
  }
  if (block->outcome == Outcome::value) return block->storage;
  if (block->outcome == Outcome::error) {
    block->flags |= kErrorObserved;
    std::rethrow_exception(block->error);
  }
  throw Cancelled("the awaited coroutine " + coroutine_label(*block) + " was cancelled");
}

void check_not_taken(ControlBlock* block) {
  if (block->flags & kResultTaken) {
    throw MisuseError("await: the result of coroutine " + coroutine_label(*block) + " has already been moved out");
  }
}

void mark_taken(ControlBlock* block) {
  check_not_taken(block);
  block->flags |= kResultTaken;
}

}  // namespace trueasync::detail
