// TimerEvent in virtual time, so that all times are exact.
#include "reactor/timer_event.hpp"

#include <gtest/gtest.h>

#include "event/waker.hpp"
#include "reactor/sim/sim_reactor.hpp"
#include "recording_subscriber.hpp"

namespace trueasync::test {
namespace {

using detail::TimerEvent;
using namespace std::chrono_literals;
using Values = std::vector<std::uintptr_t>;

class TimerEventTest : public ::testing::Test {
 protected:
  ~TimerEventTest() override { EXPECT_EQ(reactor_.timers().size(), 0u); }

  Ref<TimerEvent> timer(std::chrono::nanoseconds delay, std::chrono::nanoseconds period = {}) {
    return Ref<TimerEvent>::adopt(new TimerEvent(reactor_, delay, period));
  }
  std::chrono::nanoseconds since_start() { return reactor_.now() - start_; }

  detail::SimReactor reactor_;
  TimePoint start_ = reactor_.now();
};

// SUS-01
TEST_F(TimerEventTest, IsInactiveUntilStarted) {
  Ref<TimerEvent> event = timer(50ms);
  EXPECT_EQ(reactor_.timers().size(), 0u);
  EXPECT_EQ(event->describe(), "timer of 50 ms");
  RecordingSubscriber subscriber(*event);
  EXPECT_EQ(reactor_.timers().size(), 1u);
  EXPECT_TRUE(reactor_.has_foreground_work());
  EXPECT_EQ(event->describe(), "timer in 50 ms");
}

// TM-04 EVT-01
TEST_F(TimerEventTest, OneShotTimerFiresOnceAndReplays) {
  Ref<TimerEvent> event = timer(50ms);
  RecordingSubscriber subscriber(*event);
  reactor_.run_once(false);
  EXPECT_EQ(since_start(), 50ms);
  EXPECT_EQ(subscriber.values, Values{1});
  EXPECT_EQ(event->describe(), "timer, fired");
  Notification result;
  EXPECT_TRUE(event->replay(result));
  reactor_.advance(1s);
  reactor_.run_once(true);
  EXPECT_EQ(subscriber.times(), 1u);
}

// TM-01 REA-05
TEST_F(TimerEventTest, DelayCountsFromStart) {
  Ref<TimerEvent> event = timer(50ms);
  reactor_.advance(200ms);  // longer than the delay of the timer
  RecordingSubscriber subscriber(*event);
  reactor_.run_once(true);
  EXPECT_EQ(subscriber.times(), 0u);
  reactor_.run_once(false);
  EXPECT_EQ(since_start(), 250ms);
  EXPECT_EQ(subscriber.times(), 1u);
}

TEST_F(TimerEventTest, FixedDueTimeCountsFromFixing) {
  Ref<TimerEvent> event = timer(50ms);
  event->fix_due_time();
  reactor_.advance(30ms);
  Notification result;
  EXPECT_FALSE(event->replay(result));
  {
    RecordingSubscriber subscriber(*event);
    reactor_.run_once(false);
    EXPECT_EQ(since_start(), 50ms);
  }
  EXPECT_TRUE(event->replay(result));
}

// SUS-02
TEST_F(TimerEventTest, FixedDueTimePassesWithoutWaiters) {
  Ref<TimerEvent> event = timer(50ms);
  event->fix_due_time();
  event->set_error(std::make_exception_ptr(std::runtime_error("timed out")));
  reactor_.advance(60ms);
  Notification result;
  ASSERT_TRUE(event->replay(result));
  EXPECT_EQ(error_text(result.error), "timed out");
}

// TM-04
TEST_F(TimerEventTest, PeriodicTimerKeepsItsGrid) {
  Ref<TimerEvent> event = timer(10ms, 10ms);
  std::vector<std::chrono::nanoseconds> fired_at;
  RecordingSubscriber subscriber(*event, [&] {
    fired_at.push_back(since_start());
    reactor_.advance(3ms);  // a slow callback must not shift the grid
  });
  for (int i = 0; i < 5; ++i) reactor_.run_once(false);
  EXPECT_EQ(fired_at, (std::vector<std::chrono::nanoseconds>{10ms, 20ms, 30ms, 40ms, 50ms}));
  EXPECT_EQ(subscriber.values, (Values{1, 1, 1, 1, 1}));
}

// TM-04
TEST_F(TimerEventTest, MissedTicksAreCountedInOneNotification) {
  Ref<TimerEvent> event = timer(10ms, 10ms);
  RecordingSubscriber subscriber(*event);
  reactor_.advance(37ms);
  reactor_.run_once(true);
  EXPECT_EQ(subscriber.values, Values{3});
  reactor_.run_once(false);
  EXPECT_EQ(since_start(), 40ms);
  EXPECT_EQ(subscriber.values, (Values{3, 1}));
}

// TM-04
TEST_F(TimerEventTest, StopBetweenWaitsDoesNotShiftGrid) {
  Ref<TimerEvent> event = timer(10ms, 10ms);
  std::vector<std::chrono::nanoseconds> fired_at;
  for (int i = 0; i < 4; ++i) {
    RecordingSubscriber subscriber(*event);
    reactor_.run_once(false);
    EXPECT_EQ(subscriber.values, Values{1});
    fired_at.push_back(since_start());
    subscriber.unsubscribe();
    EXPECT_EQ(reactor_.timers().size(), 0u);
    reactor_.advance(4ms);
  }
  EXPECT_EQ(fired_at, (std::vector<std::chrono::nanoseconds>{10ms, 20ms, 30ms, 40ms}));
  reactor_.advance(31ms);  // 75 ms
  RecordingSubscriber subscriber(*event);
  reactor_.run_once(true);
  EXPECT_EQ(subscriber.values, Values{3}) << "50, 60 and 70 ms were missed";
  reactor_.run_once(false);
  EXPECT_EQ(since_start(), 80ms);
}

// TM-04
TEST_F(TimerEventTest, RearmMovesStartedTimer) {
  Ref<TimerEvent> event = timer(50ms);
  RecordingSubscriber subscriber(*event);
  reactor_.advance(40ms);
  event->rearm(50ms);
  EXPECT_EQ(reactor_.timers().size(), 1u);
  reactor_.run_once(false);
  EXPECT_EQ(since_start(), 90ms);
  EXPECT_EQ(subscriber.times(), 1u);
}

// TM-04
TEST_F(TimerEventTest, FiredTimerMayBeRearmedInCallback) {
  Ref<TimerEvent> event = timer(10ms);
  int remaining = 3;
  RecordingSubscriber subscriber(*event, [&] {
    if (--remaining > 0) event->rearm(20ms);
  });
  while (reactor_.has_foreground_work()) reactor_.run_once(false);
  EXPECT_EQ(subscriber.times(), 3u);
  EXPECT_EQ(since_start(), 50ms);
}

// TM-02 EVT-05
TEST_F(TimerEventTest, BackgroundTimerIsNotForegroundWork) {
  Ref<TimerEvent> event = timer(10ms, 10ms);
  event->set_background();
  RecordingSubscriber subscriber(*event);
  EXPECT_EQ(reactor_.timers().size(), 1u);
  EXPECT_FALSE(reactor_.has_foreground_work());
  reactor_.run_once(false);
  EXPECT_EQ(subscriber.times(), 1u);
  EXPECT_FALSE(reactor_.has_foreground_work()) << "a periodic timer stays in the background";
}

// TM-03 XC-11
TEST_F(TimerEventTest, TimerThatDidNotEndWaitIsDisarmed) {
  struct Target final : detail::WakeTarget {
    void enqueue(detail::Waker&) noexcept override { ++queued; }
    int queued = 0;
  } target;
  detail::Waker waker;
  waker.set_target(&target);
  Ref<TimerEvent> fast = timer(10ms);
  Ref<TimerEvent> slow = timer(10ms);
  WaitEntry entries[] = {WaitEntry(*fast), WaitEntry(*slow)};
  WaitRequest request;
  request.entries = entries;
  ASSERT_TRUE(waker.arm(request));
  EXPECT_EQ(reactor_.timers().size(), 2u);
  reactor_.run_once(false);
  EXPECT_EQ(target.queued, 1) << "both timers are due in the same loop iteration";
  EXPECT_TRUE(entries[0].fired);
  EXPECT_FALSE(entries[1].fired);
  EXPECT_EQ(reactor_.timers().size(), 0u);
  waker.disarm();
  EXPECT_EQ(slow->references(), 1u);
}

}  // namespace
}  // namespace trueasync::test
