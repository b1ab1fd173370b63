// Beginning a wait and being woken by events: any, all, a token, something that has happened already.
#include "waker_fixture.hpp"

namespace trueasync::test {
namespace {

TEST_F(WakerTest, NothingIsActiveBeforeAllAreSubscribed) {
  // SUS-01
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

TEST_F(WakerTest, GoesThroughItsStates) {
  // SUS-03
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

TEST_F(WakerTest, EveryWaitHasItsOwnEpoch) {
  // SUS-05
  const auto before = waker_.epoch();
  waker_.arm();
  EXPECT_EQ(waker_.epoch(), before + 1);
  EXPECT_EQ(waker_.reason(), WakeReason::none);
  ASSERT_TRUE(arm(1));
  EXPECT_EQ(waker_.epoch(), before + 2);
  events_[0]->fire();
  finish();
}

TEST_F(WakerTest, TheFirstOfAnyWakesAndTheOthersAreLeft) {
  // SUS-04
  ASSERT_TRUE(arm(3));
  events_[1]->fire(9);
  expect_others_left({0, 1, 2});
  EXPECT_FALSE(entries_[0].fired);
  EXPECT_TRUE(entries_[1].fired);
  EXPECT_FALSE(entries_[2].fired);
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_EQ(entries_[1].result.value, 9u);
}

TEST_F(WakerTest, WaitingForAllWakesWithTheLast) {
  // SUS-04
  ASSERT_TRUE(arm(3, 3));
  events_[2]->fire(12);
  EXPECT_FALSE(events_[2]->is_active()) << "what has fired is left at once";
  events_[0]->fire(10);
  EXPECT_EQ(target_.queued, 0);
  EXPECT_EQ(waker_.state(), State::waiting);
  events_[2]->fire(99);
  events_[1]->fire(11);
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(finish(), WakeReason::event);
  for (std::uintptr_t i = 0; i < 3; ++i) EXPECT_EQ(entries_[i].result.value, 10 + i);
}

TEST_F(WakerTest, ATokenEndsAWaitForAll) {
  // SUS-04 CXL-05
  ASSERT_TRUE(arm(3, 2, true));
  events_[0]->fire(1);
  events_[2]->fire(3);
  EXPECT_EQ(target_.queued, 1);
  expect_others_left({0, 1, 2});
  EXPECT_EQ(finish(), WakeReason::token);
  EXPECT_FALSE(entries_[0].fired) << "a part is no result: it was handed on";
  EXPECT_EQ(events_[0]->reclaims, 1);
  EXPECT_FALSE(entries_[1].fired);
  EXPECT_TRUE(entries_[2].fired);
}

TEST_F(WakerTest, ATokenThatDoesNotFireDoesNotCount) {
  // SUS-04
  ASSERT_TRUE(arm(3, 2, true));
  events_[0]->fire();
  events_[1]->fire();
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_FALSE(entries_[2].fired);
}

TEST_F(WakerTest, WhatHasAlreadyHappenedEndsTheWaitWithoutQueueing) {
  // SUS-02
  events_[1]->complete(42);
  EXPECT_FALSE(arm(3));
  EXPECT_EQ(waker_.state(), State::result);
  EXPECT_EQ(target_.queued, 0);
  EXPECT_EQ(events_[1]->on_starts, 0) << "nothing to start: it has happened";
  EXPECT_EQ(events_[2]->on_starts, 0) << "the wait was over before its turn";
  EXPECT_EQ(events_[0]->on_stops, 1);
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_EQ(entries_[1].result.value, 42u);
}

TEST_F(WakerTest, AllHavingHappenedNeedsNoSuspension) {
  // SUS-02
  events_[0]->complete(1);
  events_[1]->complete(2);
  EXPECT_FALSE(arm(2, 2));
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_EQ(entries_[0].result.value + entries_[1].result.value, 3u);
}

TEST_F(WakerTest, SomeHavingHappenedCountTowardsAll) {
  // SUS-02
  events_[0]->complete(1);
  ASSERT_TRUE(arm(2, 2));
  events_[1]->fire(2);
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(finish(), WakeReason::event);
}

TEST_F(WakerTest, AnEventThatFiresWhileItIsStartedEndsTheWaitAtOnce) {
  // SUS-02 SUS-05
  events_[1]->during_start = [&] { events_[1]->fire(8); };
  EXPECT_FALSE(arm(3));
  EXPECT_EQ(target_.queued, 0);
  EXPECT_EQ(events_[2]->on_starts, 0);
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_EQ(entries_[1].result.value, 8u);
}

TEST_F(WakerTest, AnEventFiredByTheStartOfAnotherIsNotStartedAnyMore) {
  // SUS-02
  events_[0]->during_start = [&] { events_[2]->fire(6); };
  ASSERT_TRUE(arm(3, 2));
  EXPECT_EQ(events_[2]->on_starts, 0);
  EXPECT_TRUE(entries_[2].fired);
  EXPECT_EQ(target_.queued, 0);
  events_[1]->fire(5);
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(finish(), WakeReason::event);
}

TEST_F(WakerTest, AStartThatFailsUndoesTheOnesBefore) {
  // CA-04 R4
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

TEST_F(WakerTest, EntriesMayServeOneWaitAfterAnother) {
  // SUS-03
  for (std::uintptr_t round = 1; round <= 3; ++round) {
    ASSERT_TRUE(arm(2));
    EXPECT_FALSE(entries_[0].fired);
    events_[0]->fire(round);
    EXPECT_EQ(finish(), WakeReason::event);
    EXPECT_EQ(entries_[0].result.value, round);
  }
}

TEST_F(WakerTest, OneEventMayStandInAWaitTwice) {
  // EVT-03
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
