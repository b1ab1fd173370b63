// The context of a replaced call: whether the calling coroutine may suspend, the yield budget and the hooks of the
// host.
//
// Every replaced call of the process checks its context first. On a thread without a runtime the check is one load of a
// thread-local variable.
// Thread safety: any thread; a Scheduler argument must belong to the calling thread.
// Errors: nothing throws, because the callers are C code.
#pragma once

#include <cerrno>

#include "scheduler/scheduler.hpp"
#include "trueasync/blocking.hpp"

namespace trueasync::detail::interpose {

// The result of a wait inside a replaced call.
enum class WaitResult : std::uint8_t {
  ready,
  timed_out,
  interrupted,  // by cancellation, a deadline or a close: errno is set
  unsupported,  // cannot be waited for without blocking: call the original
};

// Installs the handler that detects the child of a fork. There the replaced calls behave like the originals.
void install_fork_handler() noexcept;

// The slow path of suspendable_scheduler().
Scheduler* check_suspendable(Scheduler& scheduler) noexcept;

// Returns the scheduler of the calling coroutine, or null if the coroutine must not suspend and the original must run.
[[gnu::always_inline]] inline Scheduler* suspendable_scheduler() noexcept {
  Scheduler* scheduler = current_scheduler;
  return __builtin_expect(scheduler == nullptr, 1) ? nullptr : check_suspendable(*scheduler);
}

// The suspend location reported for a wait in `call`.
SourceLocation call_location(const char* call) noexcept;

// Counts a call that did not wait and yields after a number of such calls. Otherwise a fast peer, or a loop of calls
// that never wait (poll with timeout 0), would starve the other coroutines.
void charge_nonblocking_call(Scheduler& scheduler, const char* call) noexcept;
// Resets the count; called by every wait.
void reset_call_budget() noexcept;
// Whether an interruption of the running coroutine is pending, so that no new wait may start.
bool is_interrupting(Scheduler& scheduler) noexcept;
// If the host reports a pending interruption, sets errno to ECANCELED and returns true. Yields after a few such
// failures: C code that ignores the error and retries must not starve the other coroutines.
bool fail_if_interrupting(Scheduler& scheduler) noexcept;

// Ends a call whose wait was interrupted: sets errno and notifies the host. `cause` is set with WakeReason::error.
WaitResult interrupt_call(Scheduler& scheduler, const char* call, WakeReason reason, std::exception_ptr cause) noexcept;

// The value of blocking::Host::close_waits_for_users.
bool close_waits_for_users() noexcept;

// Notifies the host that the wait for a child was interrupted, so that the host can reap the child. Preserves errno.
void notify_child_wait_abandoned(int process) noexcept;

// Suspends until `deadline`. Returns timed_out on success; a wake by an event is an interruption with EINTR.
WaitResult sleep_until(Scheduler& scheduler, const char* call, TimePoint deadline) noexcept;

// ErrnoGuard: saves errno for restore(). errno belongs to the thread, so other coroutines change it during a wait. A
// successful call must leave it unchanged.
class ErrnoGuard {
 public:
  ErrnoGuard() noexcept : saved_(errno) {}
  ErrnoGuard(const ErrnoGuard&) = delete;
  ErrnoGuard& operator=(const ErrnoGuard&) = delete;
  void restore() const noexcept { errno = saved_; }

 private:
  int saved_;
};

}  // namespace trueasync::detail::interpose
