#include "reactor/reactor.hpp"

#include <algorithm>

#include "reactor/timer_event.hpp"

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

void Reactor::forget_timers() noexcept {
  while (TimerEvent* timer = timers_.pop_front()) timer->forget_reactor();
}

}  // namespace trueasync::detail
