// Event: start, stop, close, liveness, destruction.
#include <gtest/gtest.h>

#include "probe_event.hpp"
#include "trueasync/error.hpp"

namespace trueasync::test {
namespace {

std::string text_of(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    return caught.what();
  }
  return "";
}

// EVT-03
TEST(EventLifecycle, ActiveFromFirstStartToLastStop) {
  Ref<ProbeEvent> event = make_probe();
  EXPECT_FALSE(event->is_active());
  EXPECT_FALSE(event->start());
  EXPECT_FALSE(event->start());
  EXPECT_EQ(event->on_starts, 1);
  event->stop();
  EXPECT_TRUE(event->is_active());
  EXPECT_EQ(event->on_stops, 0);
  event->stop();
  EXPECT_FALSE(event->is_active());
  EXPECT_EQ(event->on_stops, 1);
}

// EVT-03
TEST(EventLifecycle, RestartsAfterLastStop) {
  Ref<ProbeEvent> event = make_probe();
  for (int round = 1; round <= 3; ++round) {
    EXPECT_FALSE(event->start());
    event->stop();
    EXPECT_EQ(event->on_starts, round);
    EXPECT_EQ(event->on_stops, round);
  }
}

// IO-11 R4
TEST(EventLifecycle, ExcessStopDoesNotChangeLiveness) {
  LivenessCounts liveness;
  Ref<ProbeEvent> mine = make_probe(&liveness);
  Ref<ProbeEvent> other = make_probe(&liveness);
  EXPECT_FALSE(mine->start());
  EXPECT_FALSE(other->start());
  EXPECT_EQ(liveness.foreground, 2u);
  mine->stop();
  mine->stop();
  mine->stop();
  EXPECT_EQ(mine->on_stops, 1);
  EXPECT_EQ(liveness.foreground, 1u);
  other->stop();
  EXPECT_EQ(liveness.foreground, 0u);
}

// R4
TEST(EventLifecycle, RepeatedStartsCountOnceForLiveness) {
  LivenessCounts liveness;
  Ref<ProbeEvent> event = make_probe(&liveness);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(event->start());
  EXPECT_EQ(liveness.foreground, 1u);
  for (int i = 0; i < 3; ++i) event->stop();
  EXPECT_EQ(liveness.foreground, 0u);
}

// R4 EVT-03
TEST(EventLifecycle, FailedStartDoesNotCount) {
  LivenessCounts liveness;
  Ref<ProbeEvent> event = make_probe(&liveness);
  event->start_error = std::make_exception_ptr(std::runtime_error("no descriptor"));
  EXPECT_EQ(text_of(event->start()), "no descriptor");
  EXPECT_FALSE(event->is_active());
  EXPECT_EQ(liveness.foreground, 0u);
  event->stop();
  EXPECT_EQ(event->on_stops, 0);
}

// EVT-05 TM-02
TEST(EventLifecycle, BackgroundEventIsCountedSeparately) {
  LivenessCounts liveness;
  Ref<ProbeEvent> event = make_probe(&liveness);
  event->set_background();
  EXPECT_TRUE(event->is_background());
  EXPECT_FALSE(event->start());
  EXPECT_EQ(liveness.foreground, 0u);
  EXPECT_EQ(liveness.background, 1u);
  event->stop();
  EXPECT_EQ(liveness.background, 0u);
}

// EVT-04
TEST(EventLifecycle, ClosedEventCannotBeStarted) {
  Ref<ProbeEvent> event = make_probe();
  event->close(nullptr);
  EXPECT_TRUE(event->is_closed());
  const std::exception_ptr error = event->start();
  ASSERT_TRUE(error);
  EXPECT_THROW(std::rethrow_exception(error), MisuseError);
  EXPECT_NE(text_of(error).find("probe"), std::string::npos) << "the error names the event";
  EXPECT_EQ(event->on_starts, 0);
}

// EVT-04 R4
TEST(EventLifecycle, CloseNotifiesSubscribersAndStopsOnce) {
  LivenessCounts liveness;
  Ref<ProbeEvent> event = make_probe(&liveness);
  ProbeSubscriber subscriber;
  event->subscribe(subscriber);
  EXPECT_FALSE(event->start());
  EXPECT_FALSE(event->start());
  event->close(std::make_exception_ptr(std::runtime_error("closed")));
  event->close(nullptr);
  EXPECT_EQ(subscriber.values, Values{0});
  EXPECT_EQ(event->on_stops, 1);
  EXPECT_EQ(liveness.foreground, 0u);
  event->stop();
  EXPECT_EQ(event->on_stops, 1);
}

// CA-05 R4
TEST(EventLifecycle, StopDuringCloseIsNotCountedTwice) {
  LivenessCounts liveness;
  Ref<ProbeEvent> event = make_probe(&liveness);
  ProbeSubscriber subscriber;
  subscriber.action = [&] { event->stop(); };
  event->subscribe(subscriber);
  EXPECT_FALSE(event->start());
  event->close(nullptr);
  EXPECT_EQ(event->on_stops, 1);
  EXPECT_EQ(liveness.foreground, 0u);
}

// EVT-01
TEST(EventLifecycle, CompletedEventReplaysResultToLateSubscriber) {
  Ref<ProbeEvent> event = make_probe();
  Notification result;
  EXPECT_FALSE(event->replay(result));
  event->complete(12);
  ASSERT_TRUE(event->replay(result));
  EXPECT_EQ(result.value, 12u);
  EXPECT_EQ(event->describe(), "probe");
}

// EVT-04
TEST(EventLifecycle, LastReleaseDisposesEvent) {
  bool disposed = false;
  Ref<ProbeEvent> first = make_probe();
  first->disposed = &disposed;
  EXPECT_EQ(first->references(), 1u);
  Ref<Event> second = first;
  EXPECT_EQ(second->references(), 2u);
  first = nullptr;
  EXPECT_FALSE(disposed);
  second = nullptr;
  EXPECT_TRUE(disposed);
}

// AW-07 EVT-04
TEST(EventLifecycleDeathTest, DestructionWithSubscriberOrStartedAborts) {
  EXPECT_DEATH(
      {
        ProbeSubscriber subscriber;
        make_probe()->subscribe(subscriber);
      },
      "destroyed with subscribers");
  EXPECT_DEATH(static_cast<void>(make_probe()->start()), "destroyed while started");
}

// AW-07
TEST(EventLifecycleDeathTest, SecondSubscribeOfLinkedSubscriptionAborts) {
  EXPECT_DEATH(
      {
        Ref<ProbeEvent> first = make_probe();
        Ref<ProbeEvent> second = make_probe();
        ProbeSubscriber subscriber;
        first->subscribe(subscriber);
        second->subscribe(subscriber);
      },
      "already linked to an event");
}

}  // namespace
}  // namespace trueasync::test
