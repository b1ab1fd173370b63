// time.hpp: delays, and timeouts as cancellation tokens. Durations have any unit; a negative duration counts as zero,
// and nanoseconds::max() (292 years) as never.
//
// Thread safety: one runtime.
#pragma once

#include <chrono>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

// Suspends for at least `duration`; zero is a yield(). Throws Cancelled.
TRUEASYNC_EXPORT void delay(std::chrono::nanoseconds duration, SourceLocation location = SourceLocation::current());

// Timeout: a cancellation token that fires after a duration, counted from its construction, so that one timeout can
// bound several waits. A zero duration has already fired. As a token it makes await() throw OperationCancelled with a
// TimeoutError as cause. The timer is armed only while a coroutine waits for it.
// Lifetime: belongs to its runtime; a wait after the runtime was destroyed throws MisuseError.
class TRUEASYNC_EXPORT Timeout {
 public:
  explicit Timeout(std::chrono::nanoseconds duration);
  // Allows a temporary: await(task, timeout(50ms)).
  operator Event&() const noexcept { return *event_; }
  Event& event() const noexcept { return *event_; }

 private:
  Ref<Event> event_;
};

inline Timeout timeout(std::chrono::nanoseconds duration) { return Timeout(duration); }

// Interval: a repeating timer without drift. wait() returns the number of periods that have passed, one unless the
// program was late.
// Errors: MisuseError if the period is not positive, or for a wait after its runtime was destroyed.
class TRUEASYNC_EXPORT Interval {
 public:
  explicit Interval(std::chrono::nanoseconds period);
  Interval(const Interval&) = delete;
  Interval& operator=(const Interval&) = delete;
  ~Interval();
  // TimeoutError if the time of `options` expires first, OperationCancelled if its token fires first; the periods are not
  // affected.
  std::size_t wait(WaitOptions options = {}, SourceLocation location = SourceLocation::current());

 private:
  Ref<Event> event_;
};

}  // namespace trueasync
