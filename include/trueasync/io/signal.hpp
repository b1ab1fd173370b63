// signal.hpp: waiting for Unix signals. A signal is delivered as an event of the loop; no user code runs in a signal
// handler.
//
// The process installs one handler per signal number while at least one coroutine waits for it, in any runtime. When
// the last waiter stops, the previous disposition (handler, ignored or default) is restored. A signal that arrives
// without a waiter therefore has its previous effect: by default SIGTERM and other signals end the process. A program
// that waits for a signal repeatedly should keep a SignalWatch, which catches the signal as long as it exists. Several
// signals of one number before the loop polls are delivered as one.
//
// Thread safety: one runtime; a signal sent to the process may wake the waiters of any or all runtimes.
// Errors: Error for a signal that cannot be caught (SIGKILL).
#pragma once

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/io/stream.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

// Suspends until the signal arrives. Throws TimeoutError, OperationCancelled, Cancelled.
TRUEASYNC_EXPORT void wait_signal(int number, WaitOptions options = {},
                                  SourceLocation location = SourceLocation::current());

// The signal as an event, for waiting on several events. The handler is installed while a coroutine waits.
TRUEASYNC_EXPORT Ref<Event> signal_event(int number);

// SignalWatch: catches a signal as long as it exists. One signal that arrives without a waiter is kept for the next
// wait. Without a waiter it neither keeps the program alive nor counts for deadlock detection.
class TRUEASYNC_EXPORT SignalWatch {
 public:
  explicit SignalWatch(int number);
  SignalWatch(SignalWatch&&) noexcept = default;
  SignalWatch& operator=(SignalWatch&& other) noexcept;
  ~SignalWatch();
  void wait(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  Event& event() const noexcept { return *event_; }

 private:
  Ref<Event> event_;
};

}  // namespace trueasync
