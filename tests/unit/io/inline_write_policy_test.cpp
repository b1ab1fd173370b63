#include "io/inline_write_policy.hpp"

#include <gtest/gtest.h>

namespace trueasync::detail {
namespace {

using namespace std::chrono_literals;

class InlineWritePolicyTest : public ::testing::Test {
 protected:
  void record_write(std::chrono::nanoseconds time) {
    policy.record(now, now + time);
    now += time;
  }

  InlineWritePolicy policy;
  TimePoint now = TimePoint() + 1h;
};

TEST_F(InlineWritePolicyTest, AllowsQuickWritesIndefinitely) {
  for (int i = 0; i < 10'000; ++i) record_write(900us);
  EXPECT_TRUE(policy.allows_inline(now));
}

TEST_F(InlineWritePolicyTest, SlowWriteStartsBackoff) {
  record_write(100ms);
  EXPECT_FALSE(policy.allows_inline(now));
  EXPECT_FALSE(policy.allows_inline(now + InlineWritePolicy::kInitialBackoff - 1ns));
  EXPECT_TRUE(policy.allows_inline(now + InlineWritePolicy::kInitialBackoff));
}

TEST_F(InlineWritePolicyTest, RepeatedModerateWritesStartBackoff) {
  int writes = 0;
  for (; policy.allows_inline(now); ++writes) record_write(3ms);
  EXPECT_EQ(writes, 3);
}

TEST_F(InlineWritePolicyTest, OccasionalSlowWriteIsTolerated) {
  for (int i = 0; i < 100; ++i) {
    record_write(3ms);
    now += 100ms;
  }
  EXPECT_TRUE(policy.allows_inline(now));
}

TEST_F(InlineWritePolicyTest, BackoffDoublesAndResets) {
  record_write(100ms);
  now += InlineWritePolicy::kInitialBackoff;
  record_write(100ms);
  EXPECT_FALSE(policy.allows_inline(now + InlineWritePolicy::kInitialBackoff));
  EXPECT_TRUE(policy.allows_inline(now + 2 * InlineWritePolicy::kInitialBackoff));
  for (int i = 0; i < 20; ++i) record_write(100ms);
  EXPECT_TRUE(policy.allows_inline(now + InlineWritePolicy::kMaxBackoff));
  now += InlineWritePolicy::kMaxBackoff + InlineWritePolicy::kBackoffResetAfter + 1s;
  record_write(100ms);
  EXPECT_TRUE(policy.allows_inline(now + InlineWritePolicy::kInitialBackoff));
}

}  // namespace
}  // namespace trueasync::detail
