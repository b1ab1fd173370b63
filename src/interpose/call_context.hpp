// Who made a replaced call: a coroutine that may suspend here, or somebody who gets the original.
//
// The question is asked by every replaced call of the process, so outside a runtime it costs one load of a thread's own
// variable. Threads: any. Errors: none; nothing here throws, for C code is below.
#pragma once

#include <cerrno>

#include "scheduler/scheduler.hpp"
#include "trueasync/blocking.hpp"

namespace trueasync::detail::interpose {

// How a wait in C code went on.
enum class WaitResult : std::uint8_t {
  ready,
  timed_out,
  interrupted,  // cancelled and the like: errno says why, and the host knows
  unsupported,  // nothing can be waited for: the original may block
};

// From now on a child of a fork is recognised: it gets the originals.
void install_fork_handler() noexcept;

// The long part of caller().
Scheduler* check_suspendable(Scheduler& scheduler) noexcept;

// The scheduler of the coroutine that calls, if it may suspend; null: the original runs.
[[gnu::always_inline]] inline Scheduler* suspendable_scheduler() noexcept {
  Scheduler* scheduler = current_scheduler;
  return __builtin_expect(scheduler == nullptr, 1) ? nullptr : check_suspendable(*scheduler);
}

// Where a wait in `call` is said to happen.
SourceLocation call_location(const char* call) noexcept;

// A call was through without waiting. Now and then the others get their turn, so that neither a fast peer nor a loop
// around calls that never wait (poll with 0) keeps them from running.
void charge_nonblocking_call(Scheduler& scheduler, const char* call) noexcept;
// It waited: the count begins again.
void reset_call_budget() noexcept;
// What ended an earlier wait of the coroutine is still on its way: no other wait shall begin.
bool is_interrupting(Scheduler& scheduler) noexcept;
// The host lets no wait begin: errno says so. Code that ignores it and tries again and again lets the others run.
bool fail_if_interrupting(Scheduler& scheduler) noexcept;

// Says why a wait ended that is neither ready nor timed out: sets errno and tells the host. `cause` with
// WakeReason::error.
WaitResult interrupt_call(Scheduler& scheduler, const char* call, WakeReason reason, std::exception_ptr cause) noexcept;

// Whether the host wants it so (blocking::Host).
bool close_waits_for_users() noexcept;

// The host may see to the end of a child whose waiter has gone. errno stays.
void notify_child_wait_abandoned(int process) noexcept;

// Suspends until `when`. timed_out is the good end; a wake for an event is EINTR's.
WaitResult sleep_in(Scheduler& scheduler, const char* call, TimePoint when) noexcept;

// Other coroutines run while one waits, and errno is the thread's: a call that goes well leaves it as it was.
class ErrnoGuard {
 public:
  ErrnoGuard() noexcept : kept_(errno) {}
  ErrnoGuard(const ErrnoGuard&) = delete;
  ErrnoGuard& operator=(const ErrnoGuard&) = delete;
  void restore() const noexcept { errno = kept_; }

 private:
  int kept_;
};

}  // namespace trueasync::detail::interpose
