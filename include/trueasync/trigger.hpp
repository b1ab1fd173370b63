// Trigger: wakes coroutines from any thread or signal handler. Fires coalesce; a fire without a waiter is kept for the
// next wait. Not copyable, not movable.
//
// Ownership: its event-loop handle.
// Lifetime: created inside a runtime, which may end first: then fire() has no effect, and wait() consumes an earlier
// fire or throws MisuseError. No fire() may start after destruction has started; the destructor waits for a fire() in
// flight, so a trigger may be destroyed as soon as its last fire was received.
// Thread safety: fire() on any thread, in signal handlers, and while the runtime ends. All other functions, the
// destructor included while the runtime exists, on the runtime's thread.
#pragma once

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Trigger {
 public:
  Trigger();
  Trigger(const Trigger&) = delete;
  Trigger& operator=(const Trigger&) = delete;
  ~Trigger();
  void fire() noexcept;
  // Suspends until the trigger is fired. Throws Cancelled, TimeoutError if the time of `options` expires,
  // OperationCancelled if its token fires.
  void wait(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  Event& event() const noexcept { return *event_; }

 private:
  Ref<Event> event_;
};

}  // namespace trueasync
