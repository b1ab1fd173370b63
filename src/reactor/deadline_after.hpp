// Points in time from durations. Durations come from users and may be anything: nothing or less means now, more than the
// clock can count means so far away that nobody sees it.
#pragma once

#include <chrono>

#include "trueasync/wait.hpp"

namespace trueasync::detail {

// Short of TimePoint::max(), which means "no deadline": a deadline there must stay one, with room to count past it.
inline constexpr TimePoint kMaxDeadline = TimePoint::max() - std::chrono::hours(1);

inline TimePoint deadline_after(TimePoint now, std::chrono::nanoseconds duration) noexcept {
  if (duration.count() <= 0) return now;
  if (now >= kMaxDeadline || duration > kMaxDeadline - now) return kMaxDeadline;
  return now + duration;
}

}  // namespace trueasync::detail
