#include "scheduler/face.hpp"

#include "scheduler/report.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

void raise_no_scheduler(const char* what) {
  throw MisuseError(std::string(what) + " needs a runtime on this thread: call it inside trueasync::run()");
}

Scheduler& home_of(const ControlBlock& block, const char* what) {
  if (__builtin_expect(block.scheduler != Scheduler::current(), 0)) {
    throw MisuseError(std::string(what) + ": coroutine #" + std::to_string(block.id) +
                      " belongs to the runtime of another thread; use a Trigger to reach it from here");
  }
  return *block.scheduler;
}

void raise_cancelled(ControlBlock& self) { throw Cancelled("coroutine " + label(self) + " was cancelled", &self); }

void raise_unless_well(Scheduler& scheduler, WakeReason reason, WaitRequest* request) {
  ControlBlock& self = *scheduler.running();
  switch (reason) {
    case WakeReason::none:
      return;
    case WakeReason::event:
      for (const WaitEntry& entry : request->entries) {
        if (!entry.fired || !entry.result.error) continue;
        entry.event->error_taken();
        std::rethrow_exception(entry.result.error);
      }
      return;
    case WakeReason::error:
      std::rethrow_exception(request ? request->error : std::exchange(self.error, nullptr));
    case WakeReason::timed_out:
      throw TimeoutError("coroutine " + label(self) + " waited too long at " + place_text(self.suspend_place));
    case WakeReason::token:
      for (const WaitEntry& entry : request->entries) {
        if (entry.is_token && entry.fired) {
          entry.event->error_taken();  // as the cause
          throw OperationCancelled("the wait of coroutine " + label(self) + " at " + place_text(self.suspend_place) +
                                       " was ended by its token",
                                   entry.result.error);
        }
      }
      return;
    case WakeReason::cancelled:
      raise_cancelled(self);
  }
}

}  // namespace trueasync::detail
