// HistogramRecorder: records durations in log-linear buckets, eight per power of two, with a relative error of 1/8.
// Fixed size (2.7 KB); recording does not allocate. Durations above about 4.9 hours count in the last bucket. The
// maximum is exact.
//
// Thread safety: one thread.
// Errors: snapshot() may throw std::bad_alloc.
#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>

#include "trueasync/histogram.hpp"

namespace trueasync::detail {

class HistogramRecorder {
 public:
  void record(std::chrono::nanoseconds duration) noexcept {
    const std::uint64_t value = duration.count() > 0 ? static_cast<std::uint64_t>(duration.count()) : 0;
    ++counts_[bucket_of(value)];
    sum_ += value;
    if (value > max_) max_ = value;
  }

  Histogram snapshot() const;

  static constexpr std::size_t bucket_of(std::uint64_t value) noexcept {
    if (value < kPerOctave) return value;
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - kPerOctaveBits - 1;
    const std::size_t bucket = (std::size_t{shift} << kPerOctaveBits) + (value >> shift);
    return bucket < kBuckets ? bucket : kBuckets - 1;
  }
  // The highest value of a bucket.
  static constexpr std::uint64_t highest_of(std::size_t bucket) noexcept {
    if (bucket < kPerOctave) return bucket;
    const std::size_t shift = (bucket >> kPerOctaveBits) - 1;
    return (((bucket & (kPerOctave - 1)) + kPerOctave + 1) << shift) - 1;
  }

  static constexpr unsigned kPerOctaveBits = 3;
  static constexpr std::size_t kPerOctave = std::size_t{1} << kPerOctaveBits;
  static constexpr std::size_t kBuckets = kPerOctave * 42;  // up to 2^44 ns

 private:
  std::array<std::uint64_t, kBuckets> counts_{};
  std::uint64_t sum_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace trueasync::detail
