#include "trueasync/inspect.hpp"

#include "scheduler/face.hpp"
#include "scheduler/report.hpp"

namespace trueasync {

std::vector<Coroutine> coroutines() {
  std::vector<Coroutine> handles;
  for (detail::ControlBlock* block : detail::this_scheduler("coroutines").living()) handles.emplace_back(block);
  return handles;
}

std::string dump() { return detail::dump_text(detail::this_scheduler("dump")); }

Statistics statistics() { return detail::this_scheduler("statistics").statistics(); }

}  // namespace trueasync
