// Durations as PHP gives them: milliseconds in an int, which may be more than the library's clock can count.
#pragma once

#include <chrono>
#include <cstdint>

namespace trueasync::php {

inline std::chrono::nanoseconds duration_of(std::int64_t milliseconds) noexcept {
  using std::chrono::nanoseconds;
  constexpr std::int64_t kMost = std::chrono::floor<std::chrono::milliseconds>(nanoseconds::max()).count();
  return milliseconds < kMost ? nanoseconds(std::chrono::milliseconds(milliseconds)) : nanoseconds::max();
}

}  // namespace trueasync::php
