// Waiting for several events at once (SUS-01…05). All are subscribed first, then started together by one call; the
// first that fires wakes the coroutine, and by then it has unsubscribed from and stopped the others.
//
// Owns: nothing; entries live on the waiting coroutine's stack, so waiting allocates nothing. Threads: the runtime's.
// Errors: wait() is the low level and throws only MisuseError; the reason says why it woke.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

enum class WakeReason : std::uint8_t {
  none,       // plain yield
  event,      // as many events as asked for have fired
  error,      // an event could not be started, or the runtime has an error for this coroutine: see WaitRequest::error
  timed_out,  // the deadline passed
  token,      // the cancellation token fired
  cancelled,  // this coroutine was cancelled
};

namespace detail {
class Waker;
}

// One event of a wait. After the wait `fired` and `result` tell what it did.
struct WaitEntry : Subscription {
  WaitEntry() = default;
  explicit WaitEntry(Event& what, bool is_token_entry = false) noexcept : is_token(is_token_entry) { event = &what; }

  detail::Waker* waker = nullptr;
  Notification result;
  void* owner = nullptr;  // of a queue that serves its waiters one by one: what the entry is a part of
  bool is_token = false;
  bool started = false;
  bool in_queue = false;  // not subscribed: it stands in the event's own queue
  bool fired = false;
};

struct WaitRequest {
  std::span<WaitEntry> entries;
  std::uint32_t needed = 1;    // how many events must fire; tokens do not count
  bool stop_at_error = false;  // an event that fires with an error ends the wait, whatever is needed
  std::optional<TimePoint> deadline;
  std::exception_ptr error;  // out: with WakeReason::error
};

// Suspends the current coroutine until `needed` events fired, one of them failed to start, the deadline passed, a
// token fired or the coroutine was cancelled. An event that has already happened counts at once: no switch (SUS-02).
// Without events and deadline it is a plain yield.
TRUEASYNC_EXPORT WakeReason wait(WaitRequest& request, SourceLocation location = SourceLocation::current());

// Waits for the first of `events` and returns its index. Throws the event's error, TimeoutError, Cancelled.
TRUEASYNC_EXPORT std::size_t wait_any(std::span<Event* const> events,
                                      std::optional<std::chrono::nanoseconds> timeout = std::nullopt,
                                      SourceLocation location = SourceLocation::current());
// Waits for all of them; the first error ends it.
TRUEASYNC_EXPORT void wait_all(std::span<Event* const> events,
                               std::optional<std::chrono::nanoseconds> timeout = std::nullopt,
                               SourceLocation location = SourceLocation::current());

}  // namespace trueasync
