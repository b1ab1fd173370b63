#include "io/page_cache_trust.hpp"

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

  PageCacheTrust trust;
  TimePoint now = TimePoint() + 1h;
};

TEST_F(PageCacheTrustTest, QuickWritesAreTriedForEver) {
  for (int i = 0; i < 10'000; ++i) take(900us);
  EXPECT_TRUE(trust.may_try(now));
}

TEST_F(PageCacheTrustTest, OneLongWaitEndsItForAWhile) {
  take(100ms);
  EXPECT_FALSE(trust.may_try(now));
  EXPECT_FALSE(trust.may_try(now + PageCacheTrust::kFirstPause - 1ns));
  EXPECT_TRUE(trust.may_try(now + PageCacheTrust::kFirstPause));
}

TEST_F(PageCacheTrustTest, ManyWaitsThatAreNotQuickEndItToo) {
  int tries = 0;
  for (; trust.may_try(now); ++tries) take(3ms);
  EXPECT_EQ(tries, 3);
}

TEST_F(PageCacheTrustTest, AWaitNowAndThenIsForgiven) {
  for (int i = 0; i < 100; ++i) {
    take(3ms);
    now += 100ms;
  }
  EXPECT_TRUE(trust.may_try(now));
}

TEST_F(PageCacheTrustTest, PausesGrowWhileTheDiskIsBusyAndAreForgottenLater) {
  take(100ms);
  now += PageCacheTrust::kFirstPause;
  take(100ms);
  EXPECT_FALSE(trust.may_try(now + PageCacheTrust::kFirstPause));
  EXPECT_TRUE(trust.may_try(now + 2 * PageCacheTrust::kFirstPause));
  for (int i = 0; i < 20; ++i) take(100ms);
  EXPECT_TRUE(trust.may_try(now + PageCacheTrust::kLongestPause));
  now += PageCacheTrust::kLongestPause + PageCacheTrust::kForgiveAfter + 1s;
  take(100ms);
  EXPECT_TRUE(trust.may_try(now + PageCacheTrust::kFirstPause));
}

}  // namespace
}  // namespace trueasync::detail
