#include "trueasync/select.hpp"

#include <algorithm>

#include "scheduler/face.hpp"

namespace trueasync::detail {

std::size_t select_wait(std::span<WaitEntry> entries, Place place) {
  Scheduler& scheduler = this_scheduler("select");
  WaitRequest request;
  request.entries = entries;
  const WakeReason reason = scheduler.wait(request, place);
  // The error of what has fired is for its case to throw.
  if (reason != WakeReason::event) raise_unless_well(scheduler, reason, &request);
  const auto fired = std::find_if(entries.begin(), entries.end(), [](const WaitEntry& entry) { return entry.fired; });
  return static_cast<std::size_t>(fired - entries.begin());
}

}  // namespace trueasync::detail
