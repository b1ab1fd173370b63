#include "scheduler/api_support.hpp"

#include "scheduler/report.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

void throw_no_runtime(const char* operation) {
  throw MisuseError(std::string(operation) + " needs a runtime on this thread: call it inside trueasync::run()");
}

Scheduler& require_owner_thread(const ControlBlock& block, const char* operation) {
  if (__builtin_expect(block.scheduler != Scheduler::current(), 0)) {
    throw MisuseError(std::string(operation) + ": coroutine #" + std::to_string(block.id) +
                      " belongs to the runtime of another thread; use a Trigger to reach it from here");
  }
  return *block.scheduler;
}

void throw_cancelled(ControlBlock& self) {
  throw Access::cancelled("coroutine " + coroutine_label(self) + " was cancelled", &self);
}

void throw_operation_cancelled(ControlBlock& self, std::exception_ptr cause) {
  throw OperationCancelled("wait of coroutine " + coroutine_label(self) + " at " +
                               format_location(self.suspend_location) + " was cancelled by its token",
                           std::move(cause));
}

void throw_wait_error(Scheduler& scheduler, WakeReason reason, WaitRequest* request) {
  ControlBlock& self = *scheduler.running();
  switch (reason) {
    case WakeReason::none:
      return;
    case WakeReason::event:
      for (const WaitEntry& entry : request->entries) {
        if (!entry.fired || !entry.result.error) continue;
        entry.event->mark_error_observed();
        std::rethrow_exception(entry.result.error);
      }
      return;
    case WakeReason::error:
      std::rethrow_exception(request ? request->error : std::exchange(self.error, nullptr));
    case WakeReason::timed_out:
      throw TimeoutError("wait of coroutine " + coroutine_label(self) + " at " +
                         format_location(self.suspend_location) + " timed out");
    case WakeReason::token:
      for (const WaitEntry& entry : request->entries) {
        if (entry.is_token && entry.fired) {
          entry.event->mark_error_observed();  // reported as the cause
          throw_operation_cancelled(self, entry.result.error);
        }
      }
      return;
    case WakeReason::cancelled:
      throw_cancelled(self);
  }
}

void sleep_until(Scheduler& scheduler, TimePoint deadline, Event* token, SourceLocation location) {
  if (!token) {
    const WakeReason reason = scheduler.sleep_until(deadline, location);
    if (reason != WakeReason::timed_out) throw_wait_error(scheduler, reason, nullptr);
    return;
  }
  WaitEntry entry(*token, true);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  request.deadline = deadline;
  const WakeReason reason = scheduler.wait(request, location);
  if (reason != WakeReason::timed_out) throw_wait_error(scheduler, reason, &request);
}

}  // namespace trueasync::detail
