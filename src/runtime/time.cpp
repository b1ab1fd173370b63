#include "trueasync/time.hpp"

#include <algorithm>

#include "reactor/deadline_after.hpp"
#include "reactor/timer_event.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

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
  if (period.count() <= 0) throw MisuseError("an interval must be longer than zero");
  event_ = Ref<Event>::adopt(new detail::TimerEvent(detail::require_scheduler("Interval").reactor(), period, period));
}

Interval::~Interval() = default;

std::size_t Interval::wait(SourceLocation location) {
  detail::Scheduler& scheduler = detail::require_scheduler("Interval::wait");
  WaitEntry entry(*event_);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  detail::throw_wait_error(scheduler, scheduler.wait(request, location), &request);
  return entry.result.value;
}

}  // namespace trueasync
