#include "trueasync/poll.hpp"

#include "reactor/deadline_after.hpp"
#include "scheduler/face.hpp"

namespace trueasync {

static_assert(static_cast<unsigned>(Readiness::readable) == detail::kPollReadable &&
              static_cast<unsigned>(Readiness::writable) == detail::kPollWritable);

Ref<Event> poll_event(int descriptor, Readiness interest) {
  return detail::this_scheduler("poll").reactor().new_poll(descriptor, static_cast<unsigned>(interest));
}

Readiness poll(int descriptor, Readiness interest, std::optional<std::chrono::nanoseconds> limit, Place place) {
  detail::Scheduler& scheduler = detail::this_scheduler("poll");
  Ref<Event> event = poll_event(descriptor, interest);
  WaitEntry entry(*event);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  if (limit) request.deadline = detail::deadline_after(scheduler.reactor().now(), *limit);
  detail::raise_unless_well(scheduler, scheduler.wait(request, place), &request);
  return static_cast<Readiness>(entry.result.value & 3);
}

}  // namespace trueasync
