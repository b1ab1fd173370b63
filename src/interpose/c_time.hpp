// Times as C calls give them.
#pragma once

#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "reactor/deadline_after.hpp"

namespace trueasync::detail::interpose {

inline bool is_valid(const timespec* time) noexcept {
  return time && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1'000'000'000;
}

inline std::chrono::nanoseconds to_duration(const timespec& time) noexcept {
  constexpr time_t kLongest = 1'000'000'000;  // thirty years, and no overflow
  return std::chrono::seconds(std::min(time.tv_sec, kLongest)) + std::chrono::nanoseconds(time.tv_nsec);
}

// Nothing for less.
inline timespec to_timespec(std::chrono::nanoseconds length) noexcept {
  length = std::max(length, std::chrono::nanoseconds::zero());
  return {length.count() / 1'000'000'000, length.count() % 1'000'000'000};
}

// Negative: no limit.
inline TimePoint deadline_of_milliseconds(TimePoint now, int milliseconds) noexcept {
  return milliseconds < 0 ? TimePoint::max() : deadline_after(now, std::chrono::milliseconds(milliseconds));
}

// What is left, for an original that has to block after all; rounded up.
inline int milliseconds_until(TimePoint now, TimePoint deadline) noexcept {
  if (deadline == TimePoint::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
  return static_cast<int>(std::clamp<decltype(left)>(left, 0, 2'000'000'000));
}

}  // namespace trueasync::detail::interpose
