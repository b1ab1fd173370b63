#include "trueasync/poll.hpp"

#include "reactor/deadline_after.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync {

static_assert(static_cast<unsigned>(Readiness::readable) == detail::kPollReadable &&
              static_cast<unsigned>(Readiness::writable) == detail::kPollWritable);

Ref<Event> poll_event(int descriptor, Readiness interest) {
  return detail::require_scheduler("poll").reactor().new_poll(descriptor, static_cast<unsigned>(interest));
}

Readiness poll(int descriptor, Readiness interest, std::optional<std::chrono::nanoseconds> timeout,
               SourceLocation location) {
  detail::Scheduler& scheduler = detail::require_scheduler("poll");
  Ref<Event> event = poll_event(descriptor, interest);
  WaitEntry entry(*event);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  if (timeout) request.deadline = detail::deadline_after(scheduler.reactor().now(), *timeout);
  detail::throw_wait_error(scheduler, scheduler.wait(request, location), &request);
  return static_cast<Readiness>(entry.result.value & 3);
}

}  // namespace trueasync
