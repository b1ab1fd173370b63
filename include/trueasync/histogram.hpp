// Histogram: the distribution of durations, such as a pool's wait times. Percentiles are exact to one part in eight;
// count, mean and maximum are exact.
//
// Thread safety: a plain value, a copy of the recorded data.
// Errors: copying may throw std::bad_alloc.
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
  // The duration that `percent` of the values do not exceed; 0 if empty. `percent` is clamped to 0..100.
  std::chrono::nanoseconds percentile(double percent) const noexcept;

 private:
  friend class detail::HistogramRecorder;
  struct Bucket {
    std::chrono::nanoseconds highest;  // the largest value of this bucket
    std::uint64_t count;
  };

  std::vector<Bucket> buckets_;  // non-empty buckets in ascending order
  std::uint64_t count_ = 0;
  double sum_ns_ = 0;
  std::chrono::nanoseconds max_{};
};

}  // namespace trueasync
