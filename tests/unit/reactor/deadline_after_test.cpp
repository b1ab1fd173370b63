#include "reactor/deadline_after.hpp"

#include <gtest/gtest.h>

namespace trueasync::test {
namespace {

using detail::deadline_after;
using detail::kFarthestDeadline;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr TimePoint kNow{1h};

TEST(DeadlineAfter, AddsWhatCanBeAdded) {
  EXPECT_EQ(deadline_after(kNow, 1ns), kNow + 1ns);
  EXPECT_EQ(deadline_after(kNow, kFarthestDeadline - kNow), kFarthestDeadline);
}

TEST(DeadlineAfter, NothingOrLessIsNow) {
  for (nanoseconds duration : {0ns, -1ns, nanoseconds::min()}) EXPECT_EQ(deadline_after(kNow, duration), kNow);
}

TEST(DeadlineAfter, TooMuchIsTheFarthestDeadlineWhichIsOneStill) {
  EXPECT_EQ(deadline_after(kNow, kFarthestDeadline - kNow + 1ns), kFarthestDeadline);
  EXPECT_EQ(deadline_after(kNow, nanoseconds::max()), kFarthestDeadline);
  EXPECT_EQ(deadline_after(kFarthestDeadline + 1s, 1ns), kFarthestDeadline);
  EXPECT_LT(kFarthestDeadline, TimePoint::max()) << "max() means that there is none";
}

}  // namespace
}  // namespace trueasync::test
