// Durations of the PHP API: milliseconds as an int, which may exceed the range of the library's clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace trueasync::php {

inline std::chrono::nanoseconds to_duration(std::int64_t milliseconds) noexcept {
  using std::chrono::nanoseconds;
  constexpr std::int64_t kMaxMilliseconds = std::chrono::floor<std::chrono::milliseconds>(nanoseconds::max()).count();
  return milliseconds < kMaxMilliseconds ? nanoseconds(std::chrono::milliseconds(milliseconds)) : nanoseconds::max();
}

// A timeout of the PHP API; 0: none.
inline std::optional<std::chrono::nanoseconds> to_timeout(std::int64_t milliseconds) noexcept {
  return milliseconds == 0 ? std::nullopt : std::optional(to_duration(milliseconds));
}

}  // namespace trueasync::php
