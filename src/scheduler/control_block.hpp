// ControlBlock: the scheduler's record of one coroutine. It is in a dense record, not on the coroutine's stack: a
// coroutine that has not started needs no stack, and handles outlive the stack (docs/decisions/0004-control-block.md).
//
// Lifetime: reference-counted like every event. The scheduler holds one reference while the coroutine is live, and each
// handle holds one.
// Thread safety: the scheduler's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "context/context.hpp"
#include "context/stack_pool.hpp"
#include "event/waker.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/coroutine_owner.hpp"
#include "scheduler/switch_handlers.hpp"
#include "trueasync/detail/coroutine_entry.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::detail {

class Scheduler;

// The phase of a coroutine, and the queue that holds it:
//   created    in the ready queue, has no stack
//   running    the current coroutine, in no queue
//   suspended  in no queue (its waker is waiting) or in the ready queue (its waker is queued)
//   finished   in no queue; only handles keep the block alive
enum class Phase : std::uint8_t { created, running, suspended, finished };

enum BlockFlags : std::uint16_t {
  kCancelRequested = 1 << 0,
  kHasHandlers = 1 << 1,
  kShutdownForced = 1 << 2,  // forced shutdown: no wait suspends any more
  kErrorObserved = 1 << 3,
  kHighPriority = 1 << 4,
  kResultDropped = 1 << 6,
  kResultTaken = 1 << 7,
  kDeadlinePassed = 1 << 8,  // of its scope: waits fail, except during cleanup
  kZombie = 1 << 9,          // outlives its disposed scope and does not keep the runtime alive
  // Flags that can interrupt a wait before it suspends.
  kInterrupts = kCancelRequested | kShutdownForced | kDeadlinePassed,
  // Flags that force the slow path of a suspension.
  kSlowPathMask = kInterrupts | kHasHandlers,
};

// The timer of a coroutine's wait; wakes the coroutine with WakeReason::timed_out.
struct WaitTimer : Timer {
  WaitTimer() noexcept;
};

// CoroutineExtras: data that few coroutines have, allocated on demand to keep the control block small.
struct CoroutineExtras {
  SwitchHandlers handlers;
  std::shared_ptr<void> context;  // the coroutine's own ta::Context, created on demand by src/scope
  // The number of deadline error objects of this coroutine. While it is not 0 the coroutine cleans up and may suspend.
  // Shared with the errors, which may outlive the coroutine.
  std::shared_ptr<unsigned> errors_in_flight;

  bool has_deadline_error_in_flight() const noexcept { return errors_in_flight && *errors_in_flight != 0; }
};

// RunState: the fields that a switch reads and writes, together so that a switch touches one cache line of the block.
struct RunState {
  Context context;
  SourceLocation suspend_location;
  std::uint16_t flags = 0;
  Phase phase = Phase::created;
  Outcome outcome = Outcome::none;
  std::uint16_t protect_depth = 0;
  std::uint16_t interrupted_waits = 0;
};

// Invariant: the order of the bases makes RunState and the first bytes of Waker fill exactly the second cache line.
struct ControlBlock final : Event, WaitTimer, RunState, Waker {
  ControlBlock(Scheduler& owner_scheduler, std::uint64_t number, SourceLocation location) noexcept;

  // Event: fires when the coroutine has finished.
  bool replay(Notification& result) const noexcept override;
  std::string describe() const override;
  const Event* blocking_coroutine() const noexcept override { return this; }
  void mark_error_observed() noexcept override { flags |= kErrorObserved; }

  bool is_alive() const noexcept { return phase != Phase::finished; }
  Waker& waker() noexcept { return *this; }
  const Waker& waker() const noexcept { return *this; }
  Timer& wait_timer() noexcept { return *this; }
  const Timer& wait_timer() const noexcept { return *this; }
  void fire_finished() noexcept;
  void detach_from_owner() noexcept {
    if (auto* previous = std::exchange(owner, nullptr)) previous->release_owner();
  }
  CoroutineExtras& ensure_extras();

  std::uint32_t cancellations_in_flight = 0;  // number of live Cancelled objects of this coroutine
  std::uint32_t owner_slot = 0;               // for use by the owner
  std::uint64_t id;
  StackPool* pool = nullptr;  // the pool of its stack
  Stack* stack = nullptr;
  Scheduler* scheduler;
  CoroutineOwner* owner = nullptr;  // null: the runtime's root
  const EntryOps* ops = nullptr;
  void* storage = nullptr;   // closure, later result: in the record, or on the heap if it is large
  std::exception_ptr error;  // finished: the outcome's error; suspended: the error of the wake-up
  CoroutineExtras* extras = nullptr;
  void* host = nullptr;
  SourceLocation spawn_location;
  const char* name = nullptr;  // owned

 protected:
  void dispose() noexcept override;
};

// The coroutine's id and name for messages: `#3 "fetch"`.
std::string coroutine_label(const ControlBlock& block);

}  // namespace trueasync::detail
