// Unix signals, awaited. They are delivered on the loop, as any other event: a coroutine that waits is woken and may do
// what it likes; no code of the program runs inside a signal handler.
//
// However many wait for a number, in however many runtimes, the process has one handler for it; it is installed while
// somebody waits, and with the last one the program's own disposition comes back – handler, ignored or default. So a
// signal that arrives when nobody waits any more does what it did before: by default SIGTERM and many others end the
// process. A program that waits for a signal again and again keeps a SignalWatch instead: it catches the signal for as
// long as it exists. Several of the same number before the loop looks are one, as signals are.
//
// Numbers are those of the platform: SIGTERM and the others from <csignal>. Threads: the runtime's; a signal sent to the
// process may reach any runtime's waiters, and all of them. Errors: Error for a number that can't be caught (SIGKILL).
#pragma once

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/stream.hpp"

namespace trueasync {

// Suspends until the signal comes. Throws TimeoutError, Cancelled.
TRUEASYNC_EXPORT void wait_signal(int number, Limit timeout = std::nullopt,
                                  SourceLocation location = SourceLocation::current());

// The same as an event, for waiting on several things. It listens while somebody waits on it.
TRUEASYNC_EXPORT Ref<Event> signal_event(int number);

// Listens from its making to its end. What comes while nobody waits is kept – once – for the next who does. It neither
// keeps the program alive nor hides a deadlock while nobody waits.
class TRUEASYNC_EXPORT SignalWatch {
 public:
  explicit SignalWatch(int number);
  SignalWatch(SignalWatch&&) noexcept = default;
  SignalWatch& operator=(SignalWatch&& other) noexcept;
  ~SignalWatch();
  void wait(Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current());
  Event& event() const noexcept { return *event_; }

 private:
  Ref<Event> event_;
};

}  // namespace trueasync
