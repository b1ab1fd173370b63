#include "reactor/timer_queue.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace trueasync::detail {
namespace {

using namespace std::chrono_literals;

TimePoint at(int milliseconds) { return TimePoint(std::chrono::hours(1)) + std::chrono::milliseconds(milliseconds); }

// Appends its name to the log when it fires.
struct NamedTimer : Timer {
  NamedTimer(char name_, std::string& log_)
      : Timer([](Timer& self) noexcept {
          auto& timer = static_cast<NamedTimer&>(self);
          timer.log += timer.name;
          if (timer.action) timer.action();
        }),
        name(name_),
        log(log_) {}

  char name;
  std::string& log;
  std::function<void()> action;
};

class TimerQueueTest : public ::testing::Test {
 protected:
  TimerQueueTest() {
    for (char name = 'a'; name <= 'h'; ++name) timers_.emplace_back(name, log_);
  }
  ~TimerQueueTest() override {
    for (NamedTimer& timer : timers_) queue_.cancel(timer);
    EXPECT_EQ(queue_.size(), 0u);
    EXPECT_EQ(queue_.foreground_count(), 0u);
  }
  NamedTimer& timer(char name) { return timers_[static_cast<std::size_t>(name - 'a')]; }

  std::string log_;
  std::deque<NamedTimer> timers_;
  TimerQueue queue_;
};

TEST_F(TimerQueueTest, FiresDueTimersEarliestFirst) {
  queue_.arm(timer('a'), at(30));
  queue_.arm(timer('b'), at(10));
  queue_.arm(timer('c'), at(20));
  EXPECT_EQ(queue_.next(), at(10));
  EXPECT_EQ(queue_.when(timer('a')), at(30));
  EXPECT_EQ(queue_.expire(at(9)), 0u);
  EXPECT_EQ(queue_.expire(at(20)), 2u);
  EXPECT_EQ(log_, "bc");
  EXPECT_FALSE(timer('b').is_armed());
  EXPECT_EQ(queue_.expire(at(1000)), 1u);
  EXPECT_EQ(log_, "bca");
  EXPECT_EQ(queue_.next(), TimePoint::max());
}

TEST_F(TimerQueueTest, EqualDeadlinesFireInArmOrder) {
  for (NamedTimer& timer : timers_) queue_.arm(timer, at(5));
  queue_.cancel(timer('c'));
  queue_.arm(timer('c'), at(5));
  queue_.expire(at(5));
  EXPECT_EQ(log_, "abdefghc");
}

// TM-03
TEST_F(TimerQueueTest, CancelledTimerDoesNotFire) {
  for (NamedTimer& timer : timers_) queue_.arm(timer, at(timer.name));
  for (char name : {'a', 'h', 'd'}) queue_.cancel(timer(name));
  queue_.cancel(timer('d'));
  EXPECT_FALSE(timer('d').is_armed());
  EXPECT_EQ(queue_.size(), 5u);
  queue_.expire(at(1000));
  EXPECT_EQ(log_, "bcefg");
}

// TM-03
TEST_F(TimerQueueTest, CallbackMayCancelAnotherDueTimer) {
  timer('a').action = [&] { queue_.cancel(timer('b')); };
  for (char name : {'a', 'b', 'c'}) queue_.arm(timer(name), at(1));
  EXPECT_EQ(queue_.expire(at(1)), 2u);
  EXPECT_EQ(log_, "ac");
}

TEST_F(TimerQueueTest, TimerArmedDuringExpireFiresInNextExpire) {
  timer('a').action = [&] { queue_.arm(timer('a'), at(1)); };
  queue_.arm(timer('a'), at(1));
  EXPECT_EQ(queue_.expire(at(1)), 1u);
  EXPECT_EQ(log_, "a");
  EXPECT_EQ(queue_.next(), at(1));
  EXPECT_EQ(queue_.expire(at(1)), 1u);
  EXPECT_EQ(log_, "aa");
}

TEST_F(TimerQueueTest, ArmingInThePastDuringExpireDelaysNoOtherTimer) {
  timer('a').action = [&] {
    queue_.arm(timer('a'), at(0));
    queue_.arm(timer('d'), at(-5));
    queue_.arm(timer('e'), at(7));
  };
  for (char name : {'a', 'b', 'c'}) queue_.arm(timer(name), at(name - 'a'));
  EXPECT_EQ(queue_.expire(at(5)), 3u);
  EXPECT_EQ(log_, "abc");
  timer('a').action = {};
  EXPECT_LE(queue_.next(), at(5));
  EXPECT_EQ(queue_.expire(at(5)), 2u);
  EXPECT_EQ(log_, "abcad");
  EXPECT_EQ(queue_.next(), at(7));
}

// TM-02 EVT-05
TEST_F(TimerQueueTest, BackgroundTimersAreNotForegroundWork) {
  queue_.arm(timer('a'), at(1), TimerQueue::Liveness::background);
  queue_.arm(timer('b'), at(2));
  queue_.arm(timer('c'), at(3), TimerQueue::Liveness::background);
  EXPECT_EQ(queue_.size(), 3u);
  EXPECT_EQ(queue_.foreground_count(), 1u);
  queue_.expire(at(1));
  EXPECT_EQ(queue_.foreground_count(), 1u);
  queue_.cancel(timer('c'));
  EXPECT_EQ(queue_.foreground_count(), 1u);
  queue_.cancel(timer('b'));
  EXPECT_EQ(queue_.foreground_count(), 0u);
  queue_.arm(timer('a'), at(9));
  EXPECT_EQ(queue_.foreground_count(), 1u) << "a timer is in the background only until it fires or is cancelled";
}

TEST_F(TimerQueueTest, MatchesSortedMultimapModel) {
  struct Counted : Timer {
    Counted(int id_, std::vector<int>& fired_)
        : Timer([](Timer& self) noexcept {
            auto& counted = static_cast<Counted&>(self);
            counted.fired.push_back(counted.id);
          }),
          id(id_),
          fired(fired_) {}
    int id;
    std::vector<int>& fired;
  };
  for (unsigned seed : {1u, 7u, 42u, 1000u, 65537u}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<int> fired;
    std::deque<Counted> pool;
    for (int i = 0; i < 300; ++i) pool.emplace_back(i, fired);
    std::multimap<TimePoint, int> model;  // equal keys stay in the order of insertion
    int now = 0;
    for (int step = 0; step < 6000; ++step) {
      Counted& picked = pool[random() % pool.size()];
      const unsigned roll = random() % 100;
      if (roll < 60 && !picked.is_armed()) {
        const TimePoint when = at(now + static_cast<int>(random() % 50));
        queue_.arm(picked, when);
        model.emplace(when, picked.id);
      } else if (roll < 85 && picked.is_armed()) {
        auto [first, last] = model.equal_range(queue_.when(picked));
        while (first != last && first->second != picked.id) ++first;
        ASSERT_NE(first, last);
        model.erase(first);
        queue_.cancel(picked);
      } else if (roll >= 85) {
        now += static_cast<int>(random() % 5);
        std::vector<int> expected;
        const auto due = model.upper_bound(at(now));
        for (auto entry = model.begin(); entry != due; ++entry) expected.push_back(entry->second);
        model.erase(model.begin(), due);
        fired.clear();
        ASSERT_EQ(queue_.expire(at(now)), expected.size());
        ASSERT_EQ(fired, expected);
      }
      ASSERT_EQ(queue_.size(), model.size());
      ASSERT_EQ(queue_.next(), model.empty() ? TimePoint::max() : model.begin()->first);
    }
    queue_.expire(at(now + 100));
    ASSERT_EQ(queue_.size(), 0u);
  }
}

TEST(TimerQueueDeathTest, DestroyingArmedTimerOrArmingTwiceAborts) {
  EXPECT_DEATH(
      {
        TimerQueue queue;
        Timer timer([](Timer&) noexcept {});
        queue.arm(timer, at(1));
      },
      "destroyed while armed");
  EXPECT_DEATH(
      {
        TimerQueue queue;
        Timer timer([](Timer&) noexcept {});
        queue.arm(timer, at(1));
        queue.arm(timer, at(2));
      },
      "armed twice");
}

constexpr TimePoint kNow{std::chrono::hours(1)};

TEST(DeadlineAfter, AddsDurationToNow) {
  EXPECT_EQ(deadline_after(kNow, 1ns), kNow + 1ns);
  EXPECT_EQ(deadline_after(kNow, kMaxDeadline - kNow), kMaxDeadline);
}

TEST(DeadlineAfter, ZeroOrNegativeDurationIsNow) {
  for (std::chrono::nanoseconds duration : {0ns, -1ns, std::chrono::nanoseconds::min()})
    EXPECT_EQ(deadline_after(kNow, duration), kNow);
}

TEST(DeadlineAfter, OverflowIsClampedToMaxDeadline) {
  EXPECT_EQ(deadline_after(kNow, kMaxDeadline - kNow + 1ns), kMaxDeadline);
  EXPECT_EQ(deadline_after(kNow, std::chrono::nanoseconds::max()), kMaxDeadline);
  EXPECT_EQ(deadline_after(kMaxDeadline + 1s, 1ns), kMaxDeadline);
  EXPECT_LT(kMaxDeadline, TimePoint::max()) << "TimePoint::max() means no deadline";
}

}  // namespace
}  // namespace trueasync::detail
