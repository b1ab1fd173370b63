// What the C++ face needs of the scheduler: finding it, and turning reasons into exceptions.
#pragma once

#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

// This thread's scheduler. Throws MisuseError when there is none; `what` is the call's name.
[[noreturn]] void raise_no_scheduler(const char* what);
inline Scheduler& this_scheduler(const char* what) {
  if (__builtin_expect(this_thread == nullptr, 0)) raise_no_scheduler(what);
  return *this_thread;
}
// The scheduler of a living coroutine. Throws MisuseError on a foreign thread.
Scheduler& home_of(const ControlBlock& block, const char* what);

// Throws what a wait ended with, unless it ended well. `request` may be null for waits without events.
void raise_unless_well(Scheduler& scheduler, WakeReason reason, WaitRequest* request);
[[noreturn]] void raise_cancelled(ControlBlock& self);

}  // namespace trueasync::detail
