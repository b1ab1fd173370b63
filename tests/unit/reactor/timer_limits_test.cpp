// TimerEvent at its limits: destruction of the reactor first, and delays greater than the clock can represent.
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

// SH-01 R4
TEST(TimerLifetime, TimerMayOutliveReactor) {
  std::optional<SimReactor> reactor(std::in_place);
  Ref<TimerEvent> idle = timer(*reactor, 50ms);
  Ref<TimerEvent> fixed = timer(*reactor, 50ms);
  fixed->fix_due_time();
  Ref<TimerEvent> fired = timer(*reactor, 1ms);
  {
    RecordingSubscriber subscriber(*fired);
    reactor->run_once(false);
  }
  Ref<TimerEvent> running = timer(*reactor, 10ms, 10ms);
  EXPECT_FALSE(running->start());
  reactor.reset();
  running->stop();
  for (Event* event :
       {static_cast<Event*>(idle.get()), static_cast<Event*>(fixed.get()), static_cast<Event*>(running.get())}) {
    Notification result;
    EXPECT_FALSE(event->replay(result));
    EXPECT_EQ(error_text(event->start()), "wait for " + event->describe() + ": the runtime was destroyed");
    EXPECT_FALSE(event->is_active());
  }
  EXPECT_THROW(idle->rearm(1ms), MisuseError);
  Notification result;
  EXPECT_TRUE(fired->replay(result)) << "a fired timer replays its result";
  EXPECT_EQ(fired->describe(), "timer, fired");
}

TEST(TimerLifetime, ReactorMayOutliveTimer) {
  SimReactor reactor;
  Ref<TimerEvent> first = timer(reactor, 50ms);
  Ref<TimerEvent> second = timer(reactor, 50ms);
  first = nullptr;
  reactor.close();
  EXPECT_TRUE(second->start());
}

// TM-04
TEST(TimerLimits, MaxDelayDoesNotFire) {
  SimReactor reactor;
  Ref<TimerEvent> one_shot = timer(reactor, kForever);
  Ref<TimerEvent> periodic = timer(reactor, kForever, kForever);
  Ref<TimerEvent> fixed = timer(reactor, kForever);
  fixed->fix_due_time();
  RecordingSubscriber one_shot_subscriber(*one_shot), periodic_subscriber(*periodic), fixed_subscriber(*fixed);
  one_shot->rearm(kForever);
  reactor.advance(24h * 365);
  reactor.run_once(true);
  Notification result;
  EXPECT_FALSE(fixed->replay(result));
  EXPECT_EQ(one_shot_subscriber.times() + periodic_subscriber.times() + fixed_subscriber.times(), 0u);
}

// TM-04
TEST(TimerLimits, MaxPeriodAfterShortDelayFiresOnce) {
  SimReactor reactor;
  Ref<TimerEvent> periodic = timer(reactor, 10ms, kForever);
  RecordingSubscriber subscriber(*periodic);
  reactor.run_once(false);
  EXPECT_EQ(subscriber.values, std::vector<std::uintptr_t>{1});
  reactor.advance(24h * 365);
  reactor.run_once(true);
  EXPECT_EQ(subscriber.times(), 1u);
}

// SUS-02
TEST(TimerLimits, FixedZeroOrNegativeDelayHasFired) {
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
