#include "reactor/timer_queue.hpp"

#include <gtest/gtest.h>

namespace trueasync::test {
namespace {

using detail::deadline_after;
using detail::kMaxDeadline;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr TimePoint kNow{1h};

TEST(DeadlineAfter, AddsWhatCanBeAdded) {
  EXPECT_EQ(deadline_after(kNow, 1ns), kNow + 1ns);
  EXPECT_EQ(deadline_after(kNow, kMaxDeadline - kNow), kMaxDeadline);
}

TEST(DeadlineAfter, NothingOrLessIsNow) {
  for (nanoseconds duration : {0ns, -1ns, nanoseconds::min()}) EXPECT_EQ(deadline_after(kNow, duration), kNow);
}

TEST(DeadlineAfter, TooMuchIsTheFarthestDeadlineWhichIsOneStill) {
  EXPECT_EQ(deadline_after(kNow, kMaxDeadline - kNow + 1ns), kMaxDeadline);
  EXPECT_EQ(deadline_after(kNow, nanoseconds::max()), kMaxDeadline);
  EXPECT_EQ(deadline_after(kMaxDeadline + 1s, 1ns), kMaxDeadline);
  EXPECT_LT(kMaxDeadline, TimePoint::max()) << "max() means that there is none";
}

}  // namespace
}  // namespace trueasync::test
