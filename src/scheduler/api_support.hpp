// What the C++ face needs of the scheduler: finding it, and turning reasons into exceptions.
#pragma once

#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

// This thread's scheduler. Throws MisuseError when there is none; `what` is the call's name.
[[noreturn]] void throw_no_runtime(const char* what);
inline Scheduler& require_scheduler(const char* what) {
  if (__builtin_expect(current_scheduler == nullptr, 0)) throw_no_runtime(what);
  return *current_scheduler;
}
// The scheduler of a living coroutine. Throws MisuseError on a foreign thread.
Scheduler& require_owner_thread(const ControlBlock& block, const char* what);

// Throws what a wait ended with, unless it ended well. `request` may be null for waits without events.
void throw_wait_error(Scheduler& scheduler, WakeReason reason, WaitRequest* request);
[[noreturn]] void throw_cancelled(ControlBlock& self);

}  // namespace trueasync::detail
