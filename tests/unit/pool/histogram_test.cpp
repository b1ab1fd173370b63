#include "trueasync/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "base/histogram_recorder.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;
using detail::HistogramRecorder;

TEST(Histogram, EmptyHistogramIsZero) {
  const Histogram empty = HistogramRecorder().snapshot();
  EXPECT_EQ(empty.count(), 0u);
  EXPECT_EQ(empty.mean(), 0ns);
  EXPECT_EQ(empty.max(), 0ns);
  EXPECT_EQ(empty.percentile(50), 0ns);
  EXPECT_EQ(Histogram().percentile(100), 0ns);
}

TEST(Histogram, BucketsAreContiguousAndOneEighthWide) {
  std::uint64_t lowest = 0;
  for (std::size_t bucket = 0; bucket < HistogramRecorder::kBuckets; ++bucket) {
    const std::uint64_t highest = HistogramRecorder::highest_of(bucket);
    ASSERT_EQ(HistogramRecorder::bucket_of(lowest), bucket);
    ASSERT_EQ(HistogramRecorder::bucket_of(highest), bucket);
    ASSERT_LE((highest - lowest) * 8, lowest);
    lowest = highest + 1;
  }
  EXPECT_EQ(HistogramRecorder::bucket_of(lowest), HistogramRecorder::kBuckets - 1);
  EXPECT_EQ(HistogramRecorder::bucket_of(UINT64_MAX), HistogramRecorder::kBuckets - 1);
}

// POOL-12
TEST(Histogram, PercentilesAreWithinOneEighthMeanAndMaxExact) {
  HistogramRecorder recorder;
  std::vector<std::int64_t> values;
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> spread(12, 3);
  double sum = 0;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(static_cast<std::int64_t>(spread(random)));
    sum += static_cast<double>(values.back());
    recorder.record(std::chrono::nanoseconds(values.back()));
  }
  std::sort(values.begin(), values.end());
  const Histogram seen = recorder.snapshot();
  EXPECT_EQ(seen.count(), values.size());
  EXPECT_EQ(seen.max().count(), values.back());
  EXPECT_NEAR(static_cast<double>(seen.mean().count()), sum / static_cast<double>(values.size()), 1);
  for (const double percent : {1.0, 25.0, 50.0, 90.0, 99.0, 99.9}) {
    const auto rank = static_cast<std::size_t>(percent / 100 * static_cast<double>(values.size())) - 1;
    const auto exact = static_cast<double>(values[rank]);
    const auto shown = static_cast<double>(seen.percentile(percent).count());
    EXPECT_GE(shown, exact) << percent;
    EXPECT_LE(shown, exact * 1.13 + 1) << percent;
  }
  EXPECT_EQ(seen.percentile(100), seen.max());
  EXPECT_EQ(seen.percentile(500), seen.max());
  EXPECT_EQ(seen.percentile(-3), seen.percentile(0));
}

TEST(Histogram, ValuesOutsideRangeCountInOuterBuckets) {
  HistogramRecorder recorder;
  recorder.record(-5ns);
  recorder.record(1000h);
  const Histogram seen = recorder.snapshot();
  EXPECT_EQ(seen.count(), 2u);
  EXPECT_EQ(seen.percentile(50), 0ns);
  EXPECT_EQ(seen.percentile(100), 1000h);
  EXPECT_EQ(seen.max(), 1000h);
}

TEST(Histogram, SnapshotDoesNotChange) {
  HistogramRecorder recorder;
  recorder.record(1ms);
  const Histogram before = recorder.snapshot();
  recorder.record(5ms);
  EXPECT_EQ(before.count(), 1u);
  EXPECT_EQ(before.max(), 1ms);
  EXPECT_EQ(recorder.snapshot().count(), 2u);
}

TEST(Histogram, SingleValueIsEveryPercentile) {
  HistogramRecorder recorder;
  for (int i = 0; i < 10; ++i) recorder.record(1'000'001ns);
  const Histogram seen = recorder.snapshot();
  for (const double percent : {0.0, 50.0, 99.0, 100.0}) EXPECT_EQ(seen.percentile(percent), 1'000'001ns);
}

}  // namespace
}  // namespace trueasync
