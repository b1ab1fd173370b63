#include "trueasync/trigger.hpp"

#include "scheduler/api_support.hpp"

namespace trueasync {

Trigger::Trigger() : event_(detail::require_scheduler("Trigger").reactor().new_trigger()) {}

Trigger::~Trigger() = default;

void Trigger::fire() noexcept { static_cast<detail::TriggerEvent&>(*event_).fire(); }

void Trigger::wait(SourceLocation location) {
  Event* events[] = {event_.get()};
  wait_any(events, std::nullopt, location);
}

}  // namespace trueasync
