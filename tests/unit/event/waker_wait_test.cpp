// Waker: start of a wait and wake-up by any event, all events, a token or a completed event.
#include "waker_fixture.hpp"

namespace trueasync::test {
namespace {

// SUS-01
TEST_F(WakerTest, SubscribesAllEntriesBeforeStartingAny) {
  for (auto& event : events_) {
    EXPECT_FALSE(event->is_active());
    event->during_start = [&] {
      for (auto& each : events_) EXPECT_TRUE(each->has_subscribers());
    };
  }
  ASSERT_TRUE(arm(4));
  for (auto& event : events_) EXPECT_TRUE(event->is_active());
  EXPECT_EQ(liveness_.foreground, 4u);
  events_[0]->fire();
  finish();
}

// SUS-03
TEST_F(WakerTest, PassesThroughAllStates) {
  EXPECT_EQ(waker_.state(), State::none);
  ASSERT_TRUE(arm(1));
  EXPECT_EQ(waker_.state(), State::waiting);
  events_[0]->fire(5);
  EXPECT_EQ(waker_.state(), State::queued);
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(target_.last, &waker_);
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_EQ(waker_.state(), State::none);
  EXPECT_EQ(entries_[0].result.value, 5u);
}

// SUS-05
TEST_F(WakerTest, EachWaitHasNewEpoch) {
  const auto before = waker_.epoch();
  waker_.arm();
  EXPECT_EQ(waker_.epoch(), before + 1);
  EXPECT_EQ(waker_.reason(), WakeReason::none);
  ASSERT_TRUE(arm(1));
  EXPECT_EQ(waker_.epoch(), before + 2);
  events_[0]->fire();
  finish();
}

// SUS-04
TEST_F(WakerTest, FirstFiredEventWakesAndDetachesOthers) {
  ASSERT_TRUE(arm(3));
  events_[1]->fire(9);
  expect_detached({0, 1, 2});
  EXPECT_FALSE(entries_[0].fired);
  EXPECT_TRUE(entries_[1].fired);
  EXPECT_FALSE(entries_[2].fired);
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_EQ(entries_[1].result.value, 9u);
}

// SUS-04
TEST_F(WakerTest, WaitForAllWakesWithLastEvent) {
  ASSERT_TRUE(arm(3, 3));
  events_[2]->fire(12);
  EXPECT_FALSE(events_[2]->is_active()) << "a fired event is stopped immediately";
  events_[0]->fire(10);
  EXPECT_EQ(target_.queued, 0);
  EXPECT_EQ(waker_.state(), State::waiting);
  events_[2]->fire(99);
  events_[1]->fire(11);
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(finish(), WakeReason::event);
  for (std::uintptr_t i = 0; i < 3; ++i) EXPECT_EQ(entries_[i].result.value, 10 + i);
}

// SUS-04 CXL-05
TEST_F(WakerTest, FiredTokenEndsWaitForAll) {
  ASSERT_TRUE(arm(3, 2, true));
  events_[0]->fire(1);
  events_[2]->fire(3);
  EXPECT_EQ(target_.queued, 1);
  expect_detached({0, 1, 2});
  EXPECT_EQ(finish(), WakeReason::token);
  EXPECT_FALSE(entries_[0].fired) << "an incomplete wait returns its grants";
  EXPECT_EQ(events_[0]->reclaims, 1);
  EXPECT_FALSE(entries_[1].fired);
  EXPECT_TRUE(entries_[2].fired);
}

// SUS-04
TEST_F(WakerTest, UnfiredTokenDoesNotCount) {
  ASSERT_TRUE(arm(3, 2, true));
  events_[0]->fire();
  events_[1]->fire();
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_FALSE(entries_[2].fired);
}

// SUS-02
TEST_F(WakerTest, CompletedEventEndsWaitWithoutEnqueueing) {
  events_[1]->complete(42);
  EXPECT_FALSE(arm(3));
  EXPECT_EQ(waker_.state(), State::result);
  EXPECT_EQ(target_.queued, 0);
  EXPECT_EQ(events_[1]->on_starts, 0) << "nothing to start: it has happened";
  EXPECT_EQ(events_[2]->on_starts, 0) << "the wait ended before this event was started";
  EXPECT_EQ(events_[0]->on_stops, 1);
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_EQ(entries_[1].result.value, 42u);
}

// SUS-02
TEST_F(WakerTest, AllCompletedEventsNeedNoSuspension) {
  events_[0]->complete(1);
  events_[1]->complete(2);
  EXPECT_FALSE(arm(2, 2));
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_EQ(entries_[0].result.value + entries_[1].result.value, 3u);
}

// SUS-02
TEST_F(WakerTest, CompletedEventsCountTowardsAll) {
  events_[0]->complete(1);
  ASSERT_TRUE(arm(2, 2));
  events_[1]->fire(2);
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(finish(), WakeReason::event);
}

// SUS-02 SUS-05
TEST_F(WakerTest, EventFiredDuringStartEndsWaitImmediately) {
  events_[1]->during_start = [&] { events_[1]->fire(8); };
  EXPECT_FALSE(arm(3));
  EXPECT_EQ(target_.queued, 0);
  EXPECT_EQ(events_[2]->on_starts, 0);
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_EQ(entries_[1].result.value, 8u);
}

// SUS-02
TEST_F(WakerTest, EventFiredByOtherStartIsNotStarted) {
  events_[0]->during_start = [&] { events_[2]->fire(6); };
  ASSERT_TRUE(arm(3, 2));
  EXPECT_EQ(events_[2]->on_starts, 0);
  EXPECT_TRUE(entries_[2].fired);
  EXPECT_EQ(target_.queued, 0);
  events_[1]->fire(5);
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(finish(), WakeReason::event);
}

// CA-04 R4
TEST_F(WakerTest, FailedStartUndoesEarlierStarts) {
  events_[1]->start_error = std::make_exception_ptr(std::runtime_error("no such descriptor"));
  EXPECT_FALSE(arm(3));
  EXPECT_EQ(waker_.state(), State::result);
  EXPECT_EQ(target_.queued, 0);
  EXPECT_EQ(events_[0]->on_stops, 1);
  EXPECT_EQ(events_[2]->on_starts, 0);
  EXPECT_EQ(finish(), WakeReason::error);
  ASSERT_TRUE(request_.error);
  EXPECT_THROW(std::rethrow_exception(request_.error), std::runtime_error);
}

// SUS-03
TEST_F(WakerTest, EntriesAreReusable) {
  for (std::uintptr_t round = 1; round <= 3; ++round) {
    ASSERT_TRUE(arm(2));
    EXPECT_FALSE(entries_[0].fired);
    events_[0]->fire(round);
    EXPECT_EQ(finish(), WakeReason::event);
    EXPECT_EQ(entries_[0].result.value, round);
  }
}

// EVT-03
TEST_F(WakerTest, SameEventMayAppearTwiceInWait) {
  WaitEntry twice[] = {WaitEntry(*events_[0]), WaitEntry(*events_[0])};
  request_.entries = twice;
  request_.needed = 2;
  ASSERT_TRUE(waker_.arm(request_));
  EXPECT_EQ(events_[0]->on_starts, 1);
  events_[0]->fire(3);
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(events_[0]->on_stops, 1);
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_EQ(twice[0].result.value + twice[1].result.value, 6u);
}

}  // namespace
}  // namespace trueasync::test
