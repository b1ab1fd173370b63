#include "trueasync/select.hpp"

#include <algorithm>

#include "scheduler/api_support.hpp"

namespace trueasync::detail {

std::size_t select_wait(std::span<WaitEntry> entries, WaitOptions options, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("select");
  WaitRequest request;
  request.entries = options.token() ? entries : entries.first(entries.size() - 1);
  if (options.token()) {
    entries.back().event = options.token();
    entries.back().is_token = true;
  }
  request.deadline = deadline_of(scheduler, options);
  const WakeReason reason = scheduler.wait(request, location);
  // The error of what has fired is for its case to throw.
  if (reason != WakeReason::event) throw_wait_error(scheduler, reason, &request);
  const auto fired = std::find_if(entries.begin(), entries.end(), [](const WaitEntry& entry) { return entry.fired; });
  return static_cast<std::size_t>(fired - entries.begin());
}

}  // namespace trueasync::detail
