// The simulated reactor: virtual time, descriptors and signals moved by hand, the same run every time.
#include "reactor/sim/sim_reactor.hpp"

#include <gtest/gtest.h>

#include "reactor/timer_event.hpp"
#include "recording_subscriber.hpp"

namespace trueasync::test {
namespace {

using namespace detail;
using namespace std::chrono_literals;
using Values = std::vector<std::uintptr_t>;

TEST(SimReactor, ABlockingTurnJumpsToTheNextDeadline) {
  // REA-06
  SimReactor reactor;
  auto timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor, 24h));
  RecordingSubscriber told(*timer);
  const TimePoint before = reactor.now();
  reactor.run_once(false, before + 1h);
  EXPECT_EQ(reactor.now() - before, 1h) << "the bound comes first";
  EXPECT_EQ(told.times(), 0u);
  reactor.run_once(false);
  EXPECT_EQ(reactor.now() - before, 24h);
  EXPECT_EQ(told.times(), 1u);
}

TEST(SimReactor, ATurnWithoutWaitLetsNoTimePass) {
  // REA-01 SCH-05
  SimReactor reactor;
  auto timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor, 1ms));
  RecordingSubscriber told(*timer);
  const TimePoint before = reactor.now();
  for (int i = 0; i < 10; ++i) reactor.run_once(true);
  EXPECT_EQ(reactor.now(), before);
  EXPECT_EQ(told.times(), 0u);
  EXPECT_EQ(reactor.counters().polls_without_wait, 10u);
  EXPECT_EQ(reactor.counters().polls_blocking, 0u);
}

TEST(SimReactor, EveryLookAtTheClockMayCostTime) {
  // REA-06
  SimReactor reactor(1us);
  const TimePoint first = reactor.now();
  EXPECT_EQ(reactor.now() - first, 1us);
}

TEST(SimReactor, AReadyDescriptorWakesOnlyThoseWhoAskedForIt) {
  // REA-03 IO-08
  SimReactor reactor;
  Ref<Event> reader = reactor.new_poll(7, kPollReadable);
  Ref<Event> writer = reactor.new_poll(7, kPollWritable);
  Ref<Event> other = reactor.new_poll(8, kPollReadable);
  RecordingSubscriber told_reader(*reader);
  RecordingSubscriber told_writer(*writer);
  RecordingSubscriber told_other(*other);
  EXPECT_EQ(reactor.liveness().foreground, 3u);
  reactor.set_ready(7, kPollReadable);
  reactor.run_once(true);
  EXPECT_EQ(told_reader.values, Values{kPollReadable});
  EXPECT_EQ(told_writer.times(), 0u);
  reactor.set_ready(7, kPollError);
  reactor.run_once(true);
  EXPECT_EQ(told_reader.values.back(), kPollError);
  EXPECT_EQ(told_writer.values, Values{kPollError});
  EXPECT_EQ(told_other.times(), 0u);
  reactor.set_ready(7, 0);
  reactor.run_once(true);
  EXPECT_EQ(told_reader.times(), 2u);
}

TEST(SimReactor, ARaisedSignalReachesAllItsWaitersOnce) {
  // REA-03
  SimReactor reactor;
  Ref<Event> first = reactor.new_signal(10);
  Ref<Event> second = reactor.new_signal(10);
  Ref<Event> other = reactor.new_signal(12);
  RecordingSubscriber told_first(*first);
  RecordingSubscriber told_second(*second);
  RecordingSubscriber told_other(*other);
  reactor.raise(10);
  reactor.run_once(true);
  reactor.run_once(true);
  EXPECT_EQ(told_first.values, Values{10});
  EXPECT_EQ(told_second.values, Values{10});
  EXPECT_EQ(told_other.times(), 0u);
}

TEST(SimReactor, TellingOneEventMayStopAnother) {
  // EVT-02
  SimReactor reactor;
  Ref<Event> first = reactor.new_poll(3, kPollReadable);
  Ref<Event> second = reactor.new_poll(3, kPollReadable);
  RecordingSubscriber told_second(*second);
  told_second.unsubscribe();
  RecordingSubscriber told_first(*first, [&] { told_second.unsubscribe(); });
  RecordingSubscriber again(*second);
  reactor.set_ready(3, kPollReadable);
  reactor.run_once(true);
  EXPECT_EQ(told_first.times(), 1u);
  EXPECT_EQ(told_second.times(), 0u);
  EXPECT_EQ(again.times(), 1u);
}

TEST(SimReactor, ATriggerKeepsWhatWasFiredBeforeAnybodyWaited) {
  // R1 CXL-05
  SimReactor reactor;
  Ref<TriggerEvent> trigger = reactor.new_trigger();
  trigger->fire();
  trigger->fire();
  reactor.run_once(true);
  Notification result;
  EXPECT_TRUE(trigger->replay(result));
  EXPECT_FALSE(trigger->replay(result)) << "fires coalesce";
  RecordingSubscriber told(*trigger);
  trigger->fire();
  reactor.run_once(true);
  EXPECT_EQ(told.times(), 1u);
  Subscription leaving;
  EXPECT_TRUE(trigger->reclaim(leaving));
  reactor.run_once(true);
  EXPECT_EQ(told.times(), 2u);
}

TEST(SimReactor, TheSameProgramRunsTheSameWay) {
  // REA-06
  auto run = [] {
    SimReactor reactor;
    std::string log;
    std::vector<Ref<TimerEvent>> timers;
    std::vector<std::unique_ptr<RecordingSubscriber>> told;
    for (int i = 0; i < 20; ++i) {
      timers.push_back(Ref<TimerEvent>::adopt(new TimerEvent(reactor, std::chrono::milliseconds(i * 7 % 5 + 1))));
      told.push_back(std::make_unique<RecordingSubscriber>(*timers.back(), [&log, &reactor, i] {
        log += std::to_string(i) + "@" + std::to_string(reactor.now().time_since_epoch().count()) + " ";
      }));
    }
    while (reactor.has_foreground_work()) reactor.run_once(false);
    return log;
  };
  const std::string first = run();
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(run(), first);
}

TEST(SimReactor, EventsThatOutliveItAreNamedAndHarmless) {
  // SH-01
  Ref<Event> poll;
  Ref<TriggerEvent> trigger;
  {
    SimReactor reactor;
    poll = reactor.new_poll(5, kPollReadable);
    trigger = reactor.new_trigger();
    EXPECT_FALSE(poll->start());
    EXPECT_EQ(reactor.close().size(), 2u);
  }
  poll->stop();
  EXPECT_NE(text_of(poll->start()).find("runtime was destroyed"), std::string::npos);
  trigger->fire();
}

}  // namespace
}  // namespace trueasync::test
