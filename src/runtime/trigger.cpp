#include "trueasync/trigger.hpp"

#include "scheduler/face.hpp"

namespace trueasync {

Trigger::Trigger() : event_(detail::this_scheduler("Trigger").reactor().new_trigger()) {}

Trigger::~Trigger() = default;

void Trigger::fire() noexcept { static_cast<detail::TriggerEvent&>(*event_).fire(); }

void Trigger::wait(Place place) {
  Event* events[] = {event_.get()};
  wait_any(events, std::nullopt, place);
}

}  // namespace trueasync
