// The control block of one coroutine. It lives in a dense record, not on the coroutine's stack: a coroutine that has
// not started needs no stack yet (SCH-03), and handles outlive the stack (docs/decisions/0004-control-block.md).
//
// Lifetime: counted like every event. The scheduler holds one reference while the coroutine is alive, each handle one.
// Threads: the scheduler's thread.
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

// Where a coroutine is, and which queue holds it:
//   created    in the ready queue, has no stack
//   running    current, in no queue
//   suspended  in no queue (its waker is waiting) or in the ready queue (its waker is queued)
//   finished   in no queue; only handles keep the block
enum class Phase : std::uint8_t { created, running, suspended, finished };

enum BlockFlags : std::uint16_t {
  kCancelRequested = 1 << 0,
  kHasHandlers = 1 << 1,
  kShutdownForced = 1 << 2,  // final step of a shutdown: no wait suspends any more
  kErrorObserved = 1 << 3,
  kHighPriority = 1 << 4,
  kResultDropped = 1 << 6,
  kResultTaken = 1 << 7,
  kDeadlinePassed = 1 << 8,  // its scope's: no wait begins any more, unless it cleans up
  kZombie = 1 << 9,          // its scope let it go: it neither keeps the program alive nor is it waited for
  // What may keep a wait from beginning.
  kInterrupts = kCancelRequested | kShutdownForced | kDeadlinePassed,
  // Anything that makes a suspension leave the fast path.
  kSlowPathMask = kInterrupts | kHasHandlers,
};

// The deadline of a coroutine's wait; when it fires the coroutine is woken with `timed_out`.
struct WaitTimer : Timer {
  WaitTimer() noexcept;
};

struct CoroutineExtras {
  SwitchHandlers handlers;
  std::shared_ptr<void> context;  // the coroutine's own Context, made on demand by the scope room
  // Deadline errors of this coroutine that exist right now: while there are some it cleans up and may suspend. Shared
  // with the errors, which may outlive the coroutine.
  std::shared_ptr<unsigned> errors_in_flight;

  bool has_deadline_error_in_flight() const noexcept { return errors_in_flight && *errors_in_flight != 0; }
};

// All that a switch reads and writes, so that a suspended coroutine costs one cache line here and its stack.
struct RunState {
  Context context;
  SourceLocation suspend_location;
  std::uint16_t flags = 0;
  Phase phase = Phase::created;
  Outcome outcome = Outcome::none;
  std::uint16_t protect_depth = 0;
  std::uint16_t interrupted_waits = 0;
};

// The bases are in this order so that RunState and the first bytes of Waker fill exactly the second cache line.
struct ControlBlock final : Event, WaitTimer, RunState, Waker {
  ControlBlock(Scheduler& home, std::uint64_t number, SourceLocation spawned_at) noexcept;

  // Event: a coroutine can be awaited; it fires when it has finished.
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
  // Ends the tie to the owner.
  void detach_from_owner() noexcept {
    if (auto* left = std::exchange(owner, nullptr)) left->release_owner();
  }
  CoroutineExtras& ensure_extras();

  std::uint32_t cancellations_in_flight = 0;  // Cancelled objects of this coroutine that exist right now
  std::uint32_t owner_slot = 0;               // the owner's
  std::uint64_t id;
  StackPool* pool = nullptr;  // where its stack comes from
  Stack* stack = nullptr;
  Scheduler* scheduler;
  CoroutineOwner* owner = nullptr;  // null: the runtime's root
  const EntryOps* ops = nullptr;
  void* storage = nullptr;   // closure, later result: in the record, or on the heap when it is large
  std::exception_ptr error;  // the outcome's error; while suspended, the error it is to be woken with
  CoroutineExtras* extras = nullptr;
  void* host = nullptr;
  SourceLocation spawn_location;
  const char* name = nullptr;  // owned

 protected:
  void dispose() noexcept override;
};

// What a coroutine is called in texts: `#3 "fetch"`.
std::string coroutine_label(const ControlBlock& block);

}  // namespace trueasync::detail
