#include "trueasync/time.hpp"

#include <algorithm>

#include "reactor/deadline_after.hpp"
#include "reactor/timer_event.hpp"
#include "scheduler/face.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

void delay(std::chrono::nanoseconds duration, Place place) {
  if (duration.count() <= 0) return yield(place);
  detail::Scheduler& scheduler = detail::this_scheduler("delay");
  const WakeReason reason = scheduler.sleep_until(detail::deadline_after(scheduler.reactor().now(), duration), place);
  if (reason != WakeReason::timed_out) detail::raise_unless_well(scheduler, reason, nullptr);
}

Timeout::Timeout(std::chrono::nanoseconds duration) {
  duration = std::max(duration, std::chrono::nanoseconds::zero());
  auto* timer = new detail::TimerEvent(detail::this_scheduler("timeout").reactor(), duration);
  event_ = Ref<Event>::adopt(timer);
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(duration);
  timer->fire_with(std::make_exception_ptr(TimeoutError("timeout of " + std::to_string(whole.count()) + " ms")));
  timer->anchor();
}

Interval::Interval(std::chrono::nanoseconds period) {
  if (period.count() <= 0) throw MisuseError("an interval must be longer than zero");
  event_ = Ref<Event>::adopt(new detail::TimerEvent(detail::this_scheduler("Interval").reactor(), period, period));
}

Interval::~Interval() = default;

std::size_t Interval::wait(Place place) {
  detail::Scheduler& scheduler = detail::this_scheduler("Interval::wait");
  WaitEntry entry(*event_);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  detail::raise_unless_well(scheduler, scheduler.wait(request, place), &request);
  return entry.result.value;
}

}  // namespace trueasync
