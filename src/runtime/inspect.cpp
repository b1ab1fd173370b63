#include "trueasync/inspect.hpp"

#include "scheduler/api_support.hpp"
#include "scheduler/report.hpp"

namespace trueasync {

std::vector<Coroutine> coroutines() {
  std::vector<Coroutine> handles;
  for (detail::ControlBlock* block : detail::require_scheduler("coroutines").live_coroutines())
    handles.emplace_back(block);
  return handles;
}

std::string dump() { return detail::format_dump(detail::require_scheduler("dump")); }

Statistics statistics() { return detail::require_scheduler("statistics").statistics(); }

}  // namespace trueasync
