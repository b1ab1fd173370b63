// The public functions and classes that wrap reactor events: descriptor readiness, triggers and timers.
#include <algorithm>

#include "reactor/timer_event.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/time.hpp"

namespace trueasync {

static_assert(static_cast<unsigned>(Readiness::readable) == detail::kPollReadable &&
              static_cast<unsigned>(Readiness::writable) == detail::kPollWritable);

Ref<Event> poll_event(int descriptor, Readiness interest) {
  return detail::require_scheduler("poll").reactor().new_poll(descriptor, static_cast<unsigned>(interest));
}

Readiness poll(int descriptor, Readiness interest, WaitOptions options, SourceLocation location) {
  detail::Scheduler& scheduler = detail::require_scheduler("poll");
  const Ref<Event> event = poll_event(descriptor, interest);
  return static_cast<Readiness>(detail::wait_for_event(scheduler, *event, options, location) & 3);
}

Trigger::Trigger() : event_(detail::require_scheduler("Trigger").reactor().new_trigger()) {}

Trigger::~Trigger() = default;

void Trigger::fire() noexcept { static_cast<detail::TriggerEvent&>(*event_).fire(); }

void Trigger::wait(WaitOptions options, SourceLocation location) {
  Event* events[] = {event_.get()};
  wait_any(events, options, location);
}

void delay(std::chrono::nanoseconds duration, SourceLocation location) {
  if (duration.count() <= 0) return yield(location);
  detail::Scheduler& scheduler = detail::require_scheduler("delay");
  const WakeReason reason =
      scheduler.sleep_until(detail::deadline_after(scheduler.reactor().now(), duration), location);
  if (reason != WakeReason::timed_out) detail::throw_wait_error(scheduler, reason, nullptr);
}

Timeout::Timeout(std::chrono::nanoseconds duration) {
  duration = std::max(duration, std::chrono::nanoseconds::zero());
  auto* timer = new detail::TimerEvent(detail::require_scheduler("timeout").reactor(), duration);
  event_ = Ref<Event>::adopt(timer);
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(duration);
  timer->set_error(std::make_exception_ptr(TimeoutError("timeout of " + std::to_string(whole.count()) + " ms")));
  timer->fix_due_time();
}

Interval::Interval(std::chrono::nanoseconds period) {
  if (period.count() <= 0) throw MisuseError("Interval: period must be greater than zero");
  event_ = Ref<Event>::adopt(new detail::TimerEvent(detail::require_scheduler("Interval").reactor(), period, period));
}

Interval::~Interval() = default;

std::size_t Interval::wait(WaitOptions options, SourceLocation location) {
  return detail::wait_for_event(detail::require_scheduler("Interval::wait"), *event_, options, location);
}

}  // namespace trueasync
