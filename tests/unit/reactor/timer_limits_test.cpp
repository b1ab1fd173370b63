// The limits of a timer: it may outlive its reactor, and it may be asked for more time than a clock can count.
#include <gtest/gtest.h>

#include <optional>

#include "reactor/sim/sim_reactor.hpp"
#include "reactor/timer_event.hpp"
#include "recording_subscriber.hpp"
#include "trueasync/error.hpp"

namespace trueasync::test {
namespace {

using detail::SimReactor;
using detail::TimerEvent;
using namespace std::chrono_literals;
constexpr auto kForever = std::chrono::nanoseconds::max();

Ref<TimerEvent> timer(detail::Reactor& reactor, std::chrono::nanoseconds delay, std::chrono::nanoseconds period = {}) {
  return Ref<TimerEvent>::adopt(new TimerEvent(reactor, delay, period));
}

TEST(TimerEnd, ATimerThatOutlivesItsReactorIsHarmless) {
  // SH-01 R4
  std::optional<SimReactor> reactor(std::in_place);
  Ref<TimerEvent> idle = timer(*reactor, 50ms);
  Ref<TimerEvent> anchored = timer(*reactor, 50ms);
  anchored->fix_due_time();
  Ref<TimerEvent> fired = timer(*reactor, 1ms);
  {
    RecordingSubscriber told(*fired);
    reactor->run_once(false);
  }
  Ref<TimerEvent> running = timer(*reactor, 10ms, 10ms);
  EXPECT_FALSE(running->start());
  reactor.reset();
  running->stop();
  for (Event* event :
       {static_cast<Event*>(idle.get()), static_cast<Event*>(anchored.get()), static_cast<Event*>(running.get())}) {
    Notification result;
    EXPECT_FALSE(event->replay(result));
    EXPECT_NE(text_of(event->start()).find(": the runtime was destroyed"), std::string::npos);
    EXPECT_FALSE(event->is_active());
  }
  EXPECT_THROW(idle->rearm(1ms), MisuseError);
  Notification result;
  EXPECT_TRUE(fired->replay(result)) << "what has happened stays so";
  EXPECT_EQ(fired->describe(), "timer, fired");
}

TEST(TimerEnd, ATimerThatDiesFirstLeavesNothingBehind) {
  SimReactor reactor;
  Ref<TimerEvent> first = timer(reactor, 50ms);
  Ref<TimerEvent> second = timer(reactor, 50ms);
  first = nullptr;
  reactor.close();
  EXPECT_TRUE(second->start());
}

TEST(TimerLimits, AVeryLongTimerDoesNotFire) {
  // TM-04
  SimReactor reactor;
  Ref<TimerEvent> one_shot = timer(reactor, kForever);
  Ref<TimerEvent> periodic = timer(reactor, kForever, kForever);
  Ref<TimerEvent> anchored = timer(reactor, kForever);
  anchored->fix_due_time();
  RecordingSubscriber told_one_shot(*one_shot), told_periodic(*periodic), told_anchored(*anchored);
  one_shot->rearm(kForever);
  reactor.advance(24h * 365);
  reactor.run_once(true);
  Notification result;
  EXPECT_FALSE(anchored->replay(result));
  EXPECT_EQ(told_one_shot.times() + told_periodic.times() + told_anchored.times(), 0u);
}

TEST(TimerLimits, ALongPeriodAfterAShortDelayFiresOnce) {
  // TM-04
  SimReactor reactor;
  Ref<TimerEvent> periodic = timer(reactor, 10ms, kForever);
  RecordingSubscriber told(*periodic);
  reactor.run_once(false);
  EXPECT_EQ(told.values, std::vector<std::uintptr_t>{1});
  reactor.advance(24h * 365);
  reactor.run_once(true);
  EXPECT_EQ(told.times(), 1u);
}

TEST(TimerLimits, AnAnchoredTimerOfNoTimeHasAlreadyFired) {
  // SUS-02
  SimReactor reactor;
  for (std::chrono::nanoseconds delay : {0ns, -1ns, std::chrono::nanoseconds::min()}) {
    Ref<TimerEvent> token = timer(reactor, delay);
    token->fix_due_time();
    Notification result;
    EXPECT_TRUE(token->replay(result));
    EXPECT_EQ(token->describe(), "timer, fired");
  }
}

}  // namespace
}  // namespace trueasync::test
