#include "reactor/reactor.hpp"

#include <algorithm>

namespace trueasync::detail {

void Reactor::execute(bool no_wait, TimePoint bound) noexcept {
  if (no_wait) {
    ++counters_.polls_without_wait;
    poll(TimePoint::min());
  } else {
    ++counters_.polls_blocking;
    poll(std::min(bound, deadlines_.next()));
  }
  if (deadlines_.size() != 0) deadlines_.expire(now());
}

}  // namespace trueasync::detail
