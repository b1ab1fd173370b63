// Support for the public C++ API: access to the thread's scheduler, and conversion of wake reasons to exceptions.
#pragma once

#include <algorithm>

#include "reactor/timer_queue.hpp"
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

// Suspends until the deadline passes; throws what else ended the wait. `token` may be null.
void sleep_until(Scheduler& scheduler, TimePoint deadline, Event* token, SourceLocation location);

// The deadline of a wait that begins now; std::nullopt without a timeout or deadline.
inline std::optional<TimePoint> absolute_deadline(Scheduler& scheduler, WaitOptions options) noexcept {
  if (!options.has_time()) return std::nullopt;
  return std::min(*options.deadline(scheduler.reactor().now()), kMaxDeadline);
}

// EventWait: the request of a wait for one event, with the options of the public call.
struct EventWait {
  EventWait(Scheduler& scheduler, Event& event, WaitOptions options) noexcept : entries{WaitEntry(event), WaitEntry()} {
    set_options(scheduler, options);
  }
  EventWait(const EventWait&) = delete;
  EventWait& operator=(const EventWait&) = delete;

  void set_options(Scheduler& scheduler, WaitOptions options) noexcept {
    request.entries = std::span(entries, options.token() ? 2 : 1);
    if (options.token()) {
      entries[1].event = options.token();
      entries[1].is_token = true;
    }
    request.deadline = absolute_deadline(scheduler, options);
  }

  WaitEntry entries[2];  // the event and the token
  WaitRequest request;
};

// Suspends until the event fires and returns the value of its notification. Throws the error of the event and what
// else ended the wait.
inline std::uintptr_t wait_for_event(Scheduler& scheduler, Event& event, WaitOptions options, SourceLocation location) {
  EventWait wait(scheduler, event, options);
  throw_wait_error(scheduler, scheduler.wait(wait.request, location), &wait.request);
  return wait.entries[0].result.value;
}

}  // namespace trueasync::detail
