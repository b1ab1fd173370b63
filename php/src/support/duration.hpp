// Durations of the PHP API: milliseconds as an int, which may exceed the range of the library's clock.
#pragma once

#include <chrono>
#include <cstdint>

namespace trueasync::php {

inline std::chrono::nanoseconds to_duration(std::int64_t milliseconds) noexcept {
  using std::chrono::nanoseconds;
  constexpr std::int64_t kMaxMilliseconds = std::chrono::floor<std::chrono::milliseconds>(nanoseconds::max()).count();
  return milliseconds < kMaxMilliseconds ? nanoseconds(std::chrono::milliseconds(milliseconds)) : nanoseconds::max();
}

}  // namespace trueasync::php
