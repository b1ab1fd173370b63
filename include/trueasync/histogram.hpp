// Histogram: how durations were spread at one moment – a pool's waits, for example. A plain value, copied out of what
// records them; percentiles are exact to one part in eight, count, mean and maximum are exact.
//
// Owns: its figures. Threads: a plain value. Errors: making one may throw std::bad_alloc; reading it throws nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "trueasync/export.hpp"

namespace trueasync {

namespace detail {
class HistogramRecorder;
}

class TRUEASYNC_EXPORT Histogram {
 public:
  Histogram() = default;

  std::uint64_t count() const noexcept { return count_; }
  std::chrono::nanoseconds mean() const noexcept;
  std::chrono::nanoseconds max() const noexcept { return max_; }
  // The duration that `percent` of them did not exceed; 0 of an empty one. Out of 0…100 means the nearest end.
  std::chrono::nanoseconds percentile(double percent) const noexcept;

 private:
  friend class detail::HistogramRecorder;
  struct Bucket {
    std::chrono::nanoseconds highest;  // that falls into it
    std::uint64_t count;
  };

  std::vector<Bucket> buckets_;  // those with something in them, in rising order
  std::uint64_t count_ = 0;
  double sum_ns_ = 0;
  std::chrono::nanoseconds max_{};
};

}  // namespace trueasync
