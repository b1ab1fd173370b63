// wait.hpp: the low-level wait for several events. All events are subscribed and started together; the first that fires
// wakes the coroutine, after which the other events are stopped and unsubscribed.
//
// Ownership: none; entries are on the stack of the waiting coroutine, so a wait does not allocate.
// Thread safety: one runtime.
// Errors: wait() throws only MisuseError and returns a WakeReason; wait_any() and wait_all() throw.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

// WakeReason: why a wait ended.
enum class WakeReason : std::uint8_t {
  none,       // a yield
  event,      // the needed number of events has fired
  error,      // an event could not start, or the runtime reports an error: see WaitRequest::error
  timed_out,  // the deadline passed
  token,      // the cancellation token fired
  cancelled,  // this coroutine was cancelled
};

namespace detail {
class Waker;
// The same options with the timeout replaced by the deadline it leads to from now: for several waits that share it.
// MisuseError outside a runtime, if there is a timeout.
TRUEASYNC_EXPORT WaitOptions with_fixed_deadline(WaitOptions options);
}  // namespace detail

// WaitEntry: one event of a wait. After the wait, `fired` and `result` describe it.
struct WaitEntry : Subscription {
  WaitEntry() = default;
  explicit WaitEntry(Event& what, bool is_token_entry = false) noexcept : is_token(is_token_entry) { event = &what; }

  detail::Waker* waker = nullptr;
  Notification result;
  void* owner = nullptr;  // for a queue that grants to one waiter at a time: the object that contains the entry
  bool is_token = false;
  bool started = false;
  bool in_queue = false;  // linked in the event's own queue instead of subscribed
  bool fired = false;
};

// WaitRequest: what to wait for.
struct WaitRequest {
  std::span<WaitEntry> entries;
  std::uint32_t needed = 1;    // number of events that must fire; tokens do not count
  bool stop_at_error = false;  // an event that fires with an error ends the wait
  std::optional<TimePoint> deadline;
  std::exception_ptr error;  // output with WakeReason::error
};

// Suspends the current coroutine until `needed` events have fired, an event failed to start, the deadline passed, a
// token fired or the coroutine was cancelled. An event that has already happened counts immediately, without a switch.
// Without events and deadline it is a yield.
TRUEASYNC_EXPORT WakeReason wait(WaitRequest& request, SourceLocation location = SourceLocation::current());

// Waits for the first of `events` and returns its index. Throws the event's error, TimeoutError,
// OperationCancelled, Cancelled.
TRUEASYNC_EXPORT std::size_t wait_any(std::span<Event* const> events, WaitOptions options = {},
                                      SourceLocation location = SourceLocation::current());
// Waits for all events; the first error ends the wait and is thrown.
TRUEASYNC_EXPORT void wait_all(std::span<Event* const> events, WaitOptions options = {},
                               SourceLocation location = SourceLocation::current());

}  // namespace trueasync
