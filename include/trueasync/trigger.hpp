// Trigger: wakes coroutines from any thread or signal handler. Fires coalesce: several before the waiter runs are one.
// What is fired while nobody waits is kept for the next who does.
//
// Owns: its event-loop handle. Lifetime: made inside a runtime, which may end before it: fire() then wakes nobody, and
// wait() takes what had been fired or throws MisuseError. No fire() may begin once its destruction has; one that is
// still under way is waited for, so it may go as soon as its last fire was seen. It has one address for life: neither
// copied nor moved.
// Threads: fire() from anywhere, also from signal handlers and while the runtime ends; everything else – destruction
// included, as long as the runtime lives – on the runtime's thread.
#pragma once

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Trigger {
 public:
  Trigger();
  Trigger(const Trigger&) = delete;
  Trigger& operator=(const Trigger&) = delete;
  ~Trigger();
  void fire() noexcept;
  // Throws Cancelled.
  void wait(SourceLocation location = SourceLocation::current());
  Event& event() const noexcept { return *event_; }

 private:
  Ref<Event> event_;
};

}  // namespace trueasync
