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
enum class Waited : std::uint8_t {
  ready,
  timed_out,
  ended,       // cancelled and the like: errno says why, and the host knows
  impossible,  // nothing can be waited for: the original may block
};

// From now on a child of a fork is recognised: it gets the originals.
void watch_forks() noexcept;

// The long part of caller().
Scheduler* caller_in(Scheduler& scheduler) noexcept;

// The scheduler of the coroutine that calls, if it may suspend; null: the original runs.
[[gnu::always_inline]] inline Scheduler* caller() noexcept {
  Scheduler* scheduler = this_thread;
  return __builtin_expect(scheduler == nullptr, 1) ? nullptr : caller_in(*scheduler);
}

// Where a wait in `call` is said to happen.
Place place_of(const char* call) noexcept;

// A call was through without waiting. Now and then the others get their turn, so that neither a fast peer nor a loop
// around calls that never wait (poll with 0) keeps them from running.
void went_through(Scheduler& scheduler, const char* call) noexcept;
// It waited: the count begins again.
void has_waited() noexcept;
// What ended an earlier wait of the coroutine is still on its way: no other wait shall begin.
bool is_ending(Scheduler& scheduler) noexcept;
// The host lets no wait begin: errno says so. Code that ignores it and tries again and again lets the others run.
bool is_refused(Scheduler& scheduler) noexcept;

// Says why a wait ended that is neither ready nor timed out: sets errno and tells the host. `cause` with
// WakeReason::error.
Waited end_call(Scheduler& scheduler, const char* call, WakeReason reason, std::exception_ptr cause) noexcept;

// Whether the host wants it so (blocking::Host).
bool waiters_leave_first() noexcept;

// The host may see to the end of a child whose waiter has gone. errno stays.
void tell_left_process(int process) noexcept;

// Suspends until `when`. timed_out is the good end; a wake for an event is EINTR's.
Waited sleep_in(Scheduler& scheduler, const char* call, TimePoint when) noexcept;

// Other coroutines run while one waits, and errno is the thread's: a call that goes well leaves it as it was.
class KeepErrno {
 public:
  KeepErrno() noexcept : kept_(errno) {}
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;
  void restore() const noexcept { errno = kept_; }

 private:
  int kept_;
};

}  // namespace trueasync::detail::interpose
