// Conversions between the time types of C calls and std::chrono.
#pragma once

#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "reactor/timer_queue.hpp"

namespace trueasync::detail::interpose {

inline bool is_valid(const timespec* time) noexcept {
  return time && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1'000'000'000;
}

inline std::chrono::nanoseconds to_duration(const timespec& time) noexcept {
  constexpr time_t kMaxSeconds = 1'000'000'000;  // about 30 years; prevents overflow
  return std::chrono::seconds(std::min(time.tv_sec, kMaxSeconds)) + std::chrono::nanoseconds(time.tv_nsec);
}

// A negative duration becomes zero.
inline timespec to_timespec(std::chrono::nanoseconds duration) noexcept {
  duration = std::max(duration, std::chrono::nanoseconds::zero());
  return {duration.count() / 1'000'000'000, duration.count() % 1'000'000'000};
}

// A negative timeout means no deadline.
inline TimePoint deadline_after_ms(TimePoint now, int timeout_ms) noexcept {
  return timeout_ms < 0 ? TimePoint::max() : deadline_after(now, std::chrono::milliseconds(timeout_ms));
}

// The timeout to pass to the original call: the remaining time, rounded up; -1 without a deadline.
inline int remaining_ms(TimePoint now, TimePoint deadline) noexcept {
  if (deadline == TimePoint::max()) return -1;
  const auto remaining = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
  return static_cast<int>(std::clamp<decltype(remaining)>(remaining, 0, 2'000'000'000));
}

}  // namespace trueasync::detail::interpose
