// Trigger: wakes coroutines from any thread or signal handler. Fires coalesce: several before the waiter runs are one.
// What is fired while nobody waits is kept for the next who does.
//
// Owns: its event-loop handle. Lifetime: made inside a runtime; must outlive whoever fires it.
// Threads: fire() from anywhere, also from signal handlers; everything else on the runtime's thread.
#pragma once

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/place.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Trigger {
 public:
  Trigger();
  void fire() noexcept;
  // Throws Cancelled.
  void wait(Place place = Place::here());
  Event& event() const noexcept { return *event_; }

 private:
  Ref<Event> event_;
};

}  // namespace trueasync
