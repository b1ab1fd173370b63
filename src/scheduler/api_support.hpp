// Support for the public C++ API: access to the thread's scheduler, and conversion of wake reasons to exceptions.
#pragma once

#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

// This thread's scheduler. Throws MisuseError if there is none; `operation` is the name of the public call.
[[noreturn]] void throw_no_runtime(const char* operation);
inline Scheduler& require_scheduler(const char* operation) {
  if (__builtin_expect(current_scheduler == nullptr, 0)) throw_no_runtime(operation);
  return *current_scheduler;
}
// The scheduler of a live coroutine. Throws MisuseError on a thread other than its owner thread.
Scheduler& require_owner_thread(const ControlBlock& block, const char* operation);

// Throws the error that `reason` stands for; returns if the wait succeeded. `request` may be null for a wait without
// events.
void throw_wait_error(Scheduler& scheduler, WakeReason reason, WaitRequest* request);
[[noreturn]] void throw_cancelled(ControlBlock& self);
// Throws the error of a wait that a token ended; `cause` is the error of the token.
[[noreturn]] void throw_operation_cancelled(ControlBlock& self, std::exception_ptr cause);

}  // namespace trueasync::detail
