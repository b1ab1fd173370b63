// Time: delays, and timeouts as cancellation tokens. Durations of any unit; what is negative counts as zero, and
// nanoseconds::max() (292 years) as never.
#pragma once

#include <chrono>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

// Suspends for at least this long; zero is a plain yield. Throws Cancelled.
TRUEASYNC_EXPORT void delay(std::chrono::nanoseconds duration, SourceLocation location = SourceLocation::current());

// A token that fires after some time. It counts from its making, so one timeout can limit several waits; one of no time
// has already fired. Owns its timer; belongs to the runtime it was made in: waiting on it after that runtime has gone is
// a MisuseError. Not running while nobody waits on it. As a token it makes await throw OperationCancelled with a
// TimeoutError as cause.
class TRUEASYNC_EXPORT Timeout {
 public:
  explicit Timeout(std::chrono::nanoseconds duration);
  // Usable in place: await(task, timeout(50ms)).
  operator Event&() const noexcept { return *event_; }
  Event& event() const noexcept { return *event_; }

 private:
  Ref<Event> event_;
};

inline Timeout timeout(std::chrono::nanoseconds duration) { return Timeout(duration); }

// A repeating timer that keeps to its grid: wait() returns how many periods have passed, one unless the program was late.
// A period must be longer than zero; that, and waiting after its runtime has gone, is a MisuseError.
class TRUEASYNC_EXPORT Interval {
 public:
  explicit Interval(std::chrono::nanoseconds period);
  Interval(const Interval&) = delete;
  Interval& operator=(const Interval&) = delete;
  ~Interval();
  std::size_t wait(SourceLocation location = SourceLocation::current());

 private:
  Ref<Event> event_;
};

}  // namespace trueasync
