// SimReactor: virtual time, readiness and signals set by the test, reproducible runs.
#include "reactor/sim/sim_reactor.hpp"

#include <gtest/gtest.h>

#include "reactor/timer_event.hpp"
#include "recording_subscriber.hpp"

namespace trueasync::test {
namespace {

using namespace detail;
using namespace std::chrono_literals;
using Values = std::vector<std::uintptr_t>;

// REA-06
TEST(SimReactor, BlockingPollAdvancesTimeToNextDeadline) {
  SimReactor reactor;
  auto timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor, 24h));
  RecordingSubscriber subscriber(*timer);
  const TimePoint before = reactor.now();
  reactor.run_once(false, before + 1h);
  EXPECT_EQ(reactor.now() - before, 1h) << "the deadline of run_once() precedes the timer";
  EXPECT_EQ(subscriber.times(), 0u);
  reactor.run_once(false);
  EXPECT_EQ(reactor.now() - before, 24h);
  EXPECT_EQ(subscriber.times(), 1u);
}

// REA-01 SCH-05
TEST(SimReactor, NonblockingPollDoesNotAdvanceTime) {
  SimReactor reactor;
  auto timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor, 1ms));
  RecordingSubscriber subscriber(*timer);
  const TimePoint before = reactor.now();
  for (int i = 0; i < 10; ++i) reactor.run_once(true);
  EXPECT_EQ(reactor.now(), before);
  EXPECT_EQ(subscriber.times(), 0u);
  EXPECT_EQ(reactor.counters().polls_without_wait, 10u);
  EXPECT_EQ(reactor.counters().polls_blocking, 0u);
}

// REA-06
TEST(SimReactor, ClockStepAdvancesTimeOnEachRead) {
  SimReactor reactor(1us);
  const TimePoint first = reactor.now();
  EXPECT_EQ(reactor.now() - first, 1us);
}

// REA-03 IO-08
TEST(SimReactor, ReadinessNotifiesOnlyMatchingInterest) {
  SimReactor reactor;
  Ref<Event> reader = reactor.new_poll(7, kPollReadable);
  Ref<Event> writer = reactor.new_poll(7, kPollWritable);
  Ref<Event> other = reactor.new_poll(8, kPollReadable);
  RecordingSubscriber reader_subscriber(*reader);
  RecordingSubscriber writer_subscriber(*writer);
  RecordingSubscriber other_subscriber(*other);
  EXPECT_EQ(reactor.liveness().foreground, 3u);
  reactor.set_ready(7, kPollReadable);
  reactor.run_once(true);
  EXPECT_EQ(reader_subscriber.values, Values{kPollReadable});
  EXPECT_EQ(writer_subscriber.times(), 0u);
  reactor.set_ready(7, kPollError);
  reactor.run_once(true);
  EXPECT_EQ(reader_subscriber.values.back(), kPollError);
  EXPECT_EQ(writer_subscriber.values, Values{kPollError});
  EXPECT_EQ(other_subscriber.times(), 0u);
  reactor.set_ready(7, 0);
  reactor.run_once(true);
  EXPECT_EQ(reader_subscriber.times(), 2u);
}

// REA-03
TEST(SimReactor, RaisedSignalNotifiesEachSubscriberOnce) {
  SimReactor reactor;
  Ref<Event> first = reactor.new_signal(10);
  Ref<Event> second = reactor.new_signal(10);
  Ref<Event> other = reactor.new_signal(12);
  RecordingSubscriber first_subscriber(*first);
  RecordingSubscriber second_subscriber(*second);
  RecordingSubscriber other_subscriber(*other);
  reactor.raise(10);
  reactor.run_once(true);
  reactor.run_once(true);
  EXPECT_EQ(first_subscriber.values, Values{10});
  EXPECT_EQ(second_subscriber.values, Values{10});
  EXPECT_EQ(other_subscriber.times(), 0u);
}

// EVT-02
TEST(SimReactor, CallbackMayUnsubscribeFromAnotherEvent) {
  SimReactor reactor;
  Ref<Event> first = reactor.new_poll(3, kPollReadable);
  Ref<Event> second = reactor.new_poll(3, kPollReadable);
  RecordingSubscriber second_subscriber(*second);
  second_subscriber.unsubscribe();
  RecordingSubscriber first_subscriber(*first, [&] { second_subscriber.unsubscribe(); });
  RecordingSubscriber resubscribed(*second);
  reactor.set_ready(3, kPollReadable);
  reactor.run_once(true);
  EXPECT_EQ(first_subscriber.times(), 1u);
  EXPECT_EQ(second_subscriber.times(), 0u);
  EXPECT_EQ(resubscribed.times(), 1u);
}

// R1 CXL-05
TEST(SimReactor, TriggerKeepsFireUntilNextWait) {
  SimReactor reactor;
  Ref<TriggerEvent> trigger = reactor.new_trigger();
  trigger->fire();
  trigger->fire();
  reactor.run_once(true);
  Notification result;
  EXPECT_TRUE(trigger->replay(result));
  EXPECT_FALSE(trigger->replay(result)) << "fires coalesce";
  RecordingSubscriber subscriber(*trigger);
  trigger->fire();
  reactor.run_once(true);
  EXPECT_EQ(subscriber.times(), 1u);
  Subscription cancelled;
  EXPECT_TRUE(trigger->reclaim(cancelled));
  reactor.run_once(true);
  EXPECT_EQ(subscriber.times(), 2u);
}

// REA-06
TEST(SimReactor, SameProgramProducesSameLog) {
  auto run = [] {
    SimReactor reactor;
    std::string log;
    std::vector<Ref<TimerEvent>> timers;
    std::vector<std::unique_ptr<RecordingSubscriber>> subscribers;
    for (int i = 0; i < 20; ++i) {
      timers.push_back(Ref<TimerEvent>::adopt(new TimerEvent(reactor, std::chrono::milliseconds(i * 7 % 5 + 1))));
      subscribers.push_back(std::make_unique<RecordingSubscriber>(*timers.back(), [&log, &reactor, i] {
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

// SH-01
TEST(SimReactor, EventsMayOutliveReactor) {
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
  EXPECT_NE(error_text(poll->start()).find("runtime was destroyed"), std::string::npos);
  trigger->fire();
}

}  // namespace
}  // namespace trueasync::test
