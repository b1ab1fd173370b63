#include "io/inline_write_policy.hpp"

#include <gtest/gtest.h>

namespace trueasync::detail {
namespace {

using namespace std::chrono_literals;

class PageCacheTrustTest : public ::testing::Test {
 protected:
  void take(std::chrono::nanoseconds time) {
    trust.record(now, now + time);
    now += time;
  }

  InlineWritePolicy trust;
  TimePoint now = TimePoint() + 1h;
};

TEST_F(PageCacheTrustTest, QuickWritesAreTriedForEver) {
  for (int i = 0; i < 10'000; ++i) take(900us);
  EXPECT_TRUE(trust.allows_inline(now));
}

TEST_F(PageCacheTrustTest, OneLongWaitEndsItForAWhile) {
  take(100ms);
  EXPECT_FALSE(trust.allows_inline(now));
  EXPECT_FALSE(trust.allows_inline(now + InlineWritePolicy::kFirstPause - 1ns));
  EXPECT_TRUE(trust.allows_inline(now + InlineWritePolicy::kFirstPause));
}

TEST_F(PageCacheTrustTest, ManyWaitsThatAreNotQuickEndItToo) {
  int tries = 0;
  for (; trust.allows_inline(now); ++tries) take(3ms);
  EXPECT_EQ(tries, 3);
}

TEST_F(PageCacheTrustTest, AWaitNowAndThenIsForgiven) {
  for (int i = 0; i < 100; ++i) {
    take(3ms);
    now += 100ms;
  }
  EXPECT_TRUE(trust.allows_inline(now));
}

TEST_F(PageCacheTrustTest, PausesGrowWhileTheDiskIsBusyAndAreForgottenLater) {
  take(100ms);
  now += InlineWritePolicy::kFirstPause;
  take(100ms);
  EXPECT_FALSE(trust.allows_inline(now + InlineWritePolicy::kFirstPause));
  EXPECT_TRUE(trust.allows_inline(now + 2 * InlineWritePolicy::kFirstPause));
  for (int i = 0; i < 20; ++i) take(100ms);
  EXPECT_TRUE(trust.allows_inline(now + InlineWritePolicy::kLongestPause));
  now += InlineWritePolicy::kLongestPause + InlineWritePolicy::kForgiveAfter + 1s;
  take(100ms);
  EXPECT_TRUE(trust.allows_inline(now + InlineWritePolicy::kFirstPause));
}

}  // namespace
}  // namespace trueasync::detail
