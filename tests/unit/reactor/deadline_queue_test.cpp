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

TimePoint at(int tick) { return TimePoint(std::chrono::hours(1)) + std::chrono::milliseconds(tick); }

struct Alarm : Timer {
  Alarm(char mark, std::string& into)
      : Timer([](Timer& self) noexcept {
          auto& alarm = static_cast<Alarm&>(self);
          alarm.log += alarm.name;
          if (alarm.action) alarm.action();
        }),
        name(mark),
        log(into) {}

  char name;
  std::string& log;
  std::function<void()> action;
};

class DeadlineQueueTest : public ::testing::Test {
 protected:
  DeadlineQueueTest() {
    for (char mark = 'a'; mark <= 'h'; ++mark) alarms_.emplace_back(mark, log_);
  }
  ~DeadlineQueueTest() override {
    for (Alarm& alarm : alarms_) queue_.cancel(alarm);
    EXPECT_EQ(queue_.size(), 0u);
    EXPECT_EQ(queue_.foreground_count(), 0u);
  }
  Alarm& alarm(char mark) { return alarms_[static_cast<std::size_t>(mark - 'a')]; }

  std::string log_;
  std::deque<Alarm> alarms_;
  TimerQueue queue_;
};

TEST_F(DeadlineQueueTest, FiresTheEarliestFirstAndOnlyWhatIsDue) {
  queue_.arm(alarm('a'), at(30));
  queue_.arm(alarm('b'), at(10));
  queue_.arm(alarm('c'), at(20));
  EXPECT_EQ(queue_.next(), at(10));
  EXPECT_EQ(queue_.when(alarm('a')), at(30));
  EXPECT_EQ(queue_.expire(at(9)), 0u);
  EXPECT_EQ(queue_.expire(at(20)), 2u);
  EXPECT_EQ(log_, "bc");
  EXPECT_FALSE(alarm('b').is_armed());
  EXPECT_EQ(queue_.expire(at(1000)), 1u);
  EXPECT_EQ(log_, "bca");
  EXPECT_EQ(queue_.next(), TimePoint::max());
}

TEST_F(DeadlineQueueTest, EqualTimesFireInTheOrderTheyWereArmed) {
  for (Alarm& each : alarms_) queue_.arm(each, at(5));
  queue_.cancel(alarm('c'));
  queue_.arm(alarm('c'), at(5));
  queue_.expire(at(5));
  EXPECT_EQ(log_, "abdefghc");
}

TEST_F(DeadlineQueueTest, ACancelledDeadlineLeavesNothingBehind) {
  // TM-03
  for (Alarm& each : alarms_) queue_.arm(each, at(each.name));
  for (char mark : {'a', 'h', 'd'}) queue_.cancel(alarm(mark));
  queue_.cancel(alarm('d'));
  EXPECT_FALSE(alarm('d').is_armed());
  EXPECT_EQ(queue_.size(), 5u);
  queue_.expire(at(1000));
  EXPECT_EQ(log_, "bcefg");
}

TEST_F(DeadlineQueueTest, FiringMayCancelAnotherThatIsDue) {
  // TM-03
  alarm('a').action = [&] { queue_.cancel(alarm('b')); };
  for (char mark : {'a', 'b', 'c'}) queue_.arm(alarm(mark), at(1));
  EXPECT_EQ(queue_.expire(at(1)), 2u);
  EXPECT_EQ(log_, "ac");
}

TEST_F(DeadlineQueueTest, WhatIsArmedWhileFiringWaitsForTheNextCall) {
  alarm('a').action = [&] { queue_.arm(alarm('a'), at(1)); };
  queue_.arm(alarm('a'), at(1));
  EXPECT_EQ(queue_.expire(at(1)), 1u);
  EXPECT_EQ(log_, "a");
  EXPECT_EQ(queue_.next(), at(1));
  EXPECT_EQ(queue_.expire(at(1)), 1u);
  EXPECT_EQ(log_, "aa");
}

TEST_F(DeadlineQueueTest, ArmingInThePastWhileFiringHoldsUpNobody) {
  alarm('a').action = [&] {
    queue_.arm(alarm('a'), at(0));
    queue_.arm(alarm('d'), at(-5));
    queue_.arm(alarm('e'), at(7));
  };
  for (char mark : {'a', 'b', 'c'}) queue_.arm(alarm(mark), at(mark - 'a'));
  EXPECT_EQ(queue_.expire(at(5)), 3u);
  EXPECT_EQ(log_, "abc");
  alarm('a').action = {};
  EXPECT_LE(queue_.next(), at(5));
  EXPECT_EQ(queue_.expire(at(5)), 2u);
  EXPECT_EQ(log_, "abcad");
  EXPECT_EQ(queue_.next(), at(7));
}

TEST_F(DeadlineQueueTest, HiddenOnesAreNotVisibleWork) {
  // TM-02 EVT-05
  queue_.arm(alarm('a'), at(1), TimerQueue::Liveness::background);
  queue_.arm(alarm('b'), at(2));
  queue_.arm(alarm('c'), at(3), TimerQueue::Liveness::background);
  EXPECT_EQ(queue_.size(), 3u);
  EXPECT_EQ(queue_.foreground_count(), 1u);
  queue_.expire(at(1));
  EXPECT_EQ(queue_.foreground_count(), 1u);
  queue_.cancel(alarm('c'));
  EXPECT_EQ(queue_.foreground_count(), 1u);
  queue_.cancel(alarm('b'));
  EXPECT_EQ(queue_.foreground_count(), 0u);
  queue_.arm(alarm('a'), at(9));
  EXPECT_EQ(queue_.foreground_count(), 1u) << "being hidden belongs to one arming";
}

TEST_F(DeadlineQueueTest, BehavesLikeASortedMap) {
  struct Counted : Timer {
    Counted(int number, std::vector<int>& into)
        : Timer([](Timer& self) noexcept {
            auto& counted = static_cast<Counted&>(self);
            counted.fired.push_back(counted.id);
          }),
          id(number),
          fired(into) {}
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
        for (auto each = model.begin(); each != due; ++each) expected.push_back(each->second);
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

TEST(DeadlineQueueDeathTest, DyingArmedOrArmingTwiceIsABrokenInvariant) {
  EXPECT_DEATH(
      {
        TimerQueue queue;
        Timer deadline([](Timer&) noexcept {});
        queue.arm(deadline, at(1));
      },
      "destroyed while armed");
  EXPECT_DEATH(
      {
        TimerQueue queue;
        Timer deadline([](Timer&) noexcept {});
        queue.arm(deadline, at(1));
        queue.arm(deadline, at(2));
      },
      "armed twice");
}

}  // namespace
}  // namespace trueasync::detail
