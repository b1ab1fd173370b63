#include "trueasync/histogram.hpp"

#include <algorithm>
#include <cmath>

#include "base/histogram_recorder.hpp"

namespace trueasync {

namespace detail {

Histogram HistogramRecorder::snapshot() const {
  Histogram result;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    if (counts_[bucket] == 0) continue;
    const auto highest = static_cast<std::int64_t>(std::min(highest_of(bucket), max_));
    result.buckets_.push_back({std::chrono::nanoseconds(highest), counts_[bucket]});
    result.count_ += counts_[bucket];
  }
  result.max_ = std::chrono::nanoseconds(static_cast<std::int64_t>(max_));
  if (counts_[kBuckets - 1] != 0) result.buckets_.back().highest = result.max_;  // the last bucket is unbounded
  result.sum_ns_ = static_cast<double>(sum_);
  return result;
}

}  // namespace detail

std::chrono::nanoseconds Histogram::mean() const noexcept {
  if (count_ == 0) return {};
  return std::chrono::nanoseconds(static_cast<std::int64_t>(sum_ns_ / static_cast<double>(count_)));
}

std::chrono::nanoseconds Histogram::percentile(double percent) const noexcept {
  if (count_ == 0) return {};
  const double part = percent > 0 ? std::min(percent, 100.0) / 100 : 0;
  const auto wanted =
      std::max(static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(count_))), std::uint64_t{1});
  std::uint64_t seen = 0;
  for (const Bucket& bucket : buckets_) {
    seen += bucket.count;
    if (seen >= wanted) return bucket.highest;
  }
  return max_;
}

}  // namespace trueasync
