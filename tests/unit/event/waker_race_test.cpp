// Waker: late, repeated and racing wakes; grants that are returned.
#include "waker_fixture.hpp"

namespace trueasync::test {
namespace {

// SUS-05 XC-11
TEST_F(WakerTest, SecondWakeHasNoEffect) {
  ASSERT_TRUE(arm(1));
  EXPECT_TRUE(waker_.wake(WakeReason::cancelled, target_));
  EXPECT_FALSE(waker_.wake(WakeReason::event, target_));
  EXPECT_EQ(target_.queued, 1);
  EXPECT_EQ(finish(), WakeReason::cancelled);
}

// SUS-05
TEST_F(WakerTest, WakeOutsideWaitHasNoEffect) {
  EXPECT_FALSE(waker_.wake(WakeReason::event, target_));
  ASSERT_TRUE(arm(1));
  events_[0]->fire();
  finish();
  EXPECT_FALSE(waker_.wake(WakeReason::timed_out, target_));
  EXPECT_EQ(waker_.state(), State::none);
  EXPECT_EQ(target_.queued, 1);
}

// SUS-03
TEST_F(WakerTest, IgnoredWakerCannotBeWoken) {
  waker_.set_state(State::ignored);
  EXPECT_FALSE(waker_.wake(WakeReason::event, target_));
  EXPECT_FALSE(waker_.override_reason(WakeReason::cancelled));
  EXPECT_EQ(waker_.state(), State::ignored);
  EXPECT_EQ(target_.queued, 0);
}

// XC-11 TM-03
TEST_F(WakerTest, RacingWakeAndTimeoutHaveOneWinner) {
  ASSERT_TRUE(arm(2));
  EXPECT_TRUE(waker_.wake(WakeReason::timed_out, target_));
  expect_detached({0, 1});
  events_[0]->fire();
  EXPECT_EQ(target_.queued, 1);
  EXPECT_FALSE(entries_[0].fired);
  EXPECT_EQ(finish(), WakeReason::timed_out);

  ASSERT_TRUE(arm(2));
  events_[0]->fire();
  EXPECT_FALSE(waker_.wake(WakeReason::timed_out, target_));
  EXPECT_EQ(target_.queued, 2);
  EXPECT_EQ(finish(), WakeReason::event);
}

// SUS-05 R1
TEST_F(WakerTest, TwoFiredEventsEnqueueOnce) {
  ASSERT_TRUE(arm(2));
  events_[0]->fire(1);
  events_[1]->fire(2);
  EXPECT_EQ(target_.queued, 1);
  EXPECT_TRUE(entries_[0].fired);
  EXPECT_FALSE(entries_[1].fired);
  EXPECT_EQ(finish(), WakeReason::event);
}

// CA-04 CA-05 EVT-03
TEST_F(WakerTest, CancelStopsSharedEventOnceAndKeepsOtherWaiters) {
  detail::Waker sibling;
  sibling.set_target(&target_);
  WaitEntry entry(*events_[0]);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  ASSERT_TRUE(sibling.arm(request));
  ASSERT_TRUE(arm(1));
  EXPECT_TRUE(waker_.wake(WakeReason::cancelled, target_));
  EXPECT_EQ(finish(), WakeReason::cancelled);
  EXPECT_TRUE(events_[0]->is_active());
  EXPECT_EQ(events_[0]->on_stops, 0);
  EXPECT_EQ(liveness_.foreground, 1u);
  events_[0]->fire(4);
  EXPECT_EQ(sibling.state(), State::queued);
  EXPECT_EQ(entry.result.value, 4u);
  sibling.disarm();
}

// R3 IO-05
TEST_F(WakerTest, NotificationGivesEveryWaiterTheErrorObject) {
  detail::Waker wakers[3];
  WaitEntry entries[3];
  WaitRequest requests[3];
  for (std::size_t i = 0; i < 3; ++i) {
    wakers[i].set_target(&target_);
    entries[i].event = events_[0].get();
    requests[i].entries = std::span(&entries[i], 1);
    ASSERT_TRUE(wakers[i].arm(requests[i]));
  }
  events_[0]->fire(0, std::make_exception_ptr(std::runtime_error("reset by peer")));
  EXPECT_EQ(target_.queued, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    wakers[i].disarm();
    ASSERT_TRUE(entries[i].result.error);
    EXPECT_THROW(std::rethrow_exception(std::exchange(entries[i].result.error, nullptr)), std::runtime_error);
  }
}

// EVT-04 R4
TEST_F(WakerTest, WaitKeepsEventAlive) {
  bool disposed = false;
  auto* event = new ProbeEvent;
  event->disposed = &disposed;
  WaitEntry entry(*event);
  request_.entries = std::span(&entry, 1);
  ASSERT_TRUE(waker_.arm(request_));
  event->release();
  EXPECT_FALSE(disposed);
  EXPECT_TRUE(waker_.wake(WakeReason::timed_out, target_));
  EXPECT_FALSE(disposed);
  waker_.disarm();
  EXPECT_TRUE(disposed);
}

// R1 CXL-05
TEST_F(WakerTest, OverridingCancellationReturnsGrant) {
  ASSERT_TRUE(arm(2));
  events_[1]->fire();
  EXPECT_TRUE(waker_.override_reason(WakeReason::cancelled));
  EXPECT_EQ(events_[0]->reclaims, 0);
  EXPECT_EQ(events_[1]->reclaims, 1);
  EXPECT_FALSE(entries_[1].fired) << "a reclaimed grant has another owner";
  EXPECT_EQ(target_.queued, 1) << "the coroutine is already in the ready queue";
  EXPECT_EQ(finish(), WakeReason::cancelled);
}

// R1 CXL-05
TEST_F(WakerTest, GrantThatCannotBeReclaimedStands) {
  events_[0]->reclaimable = false;
  ASSERT_TRUE(arm(1));
  events_[0]->fire(7);
  EXPECT_FALSE(waker_.override_reason(WakeReason::cancelled));
  EXPECT_EQ(finish(), WakeReason::event);
  EXPECT_TRUE(entries_[0].fired);
  EXPECT_EQ(entries_[0].result.value, 7u);
}

// R1 CXL-05
TEST_F(WakerTest, ReturnedGrantIsNotDelivered) {
  events_[1]->reclaimable = false;
  ASSERT_TRUE(arm(3, 3));
  for (std::size_t i = 0; i < 3; ++i) events_[i]->fire(i + 1);
  EXPECT_TRUE(waker_.override_reason(WakeReason::cancelled)) << "a part is no result";
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NE(entries_[i].fired, events_[i]->reclaims == 1 && i != 1) << i;
  EXPECT_TRUE(entries_[1].fired);
  EXPECT_EQ(finish(), WakeReason::cancelled);
}

// CXL-05
TEST_F(WakerTest, OnlyQueuedWakeCanBeOverridden) {
  EXPECT_FALSE(waker_.override_reason(WakeReason::cancelled));
  ASSERT_TRUE(arm(2, 1, true));
  EXPECT_FALSE(waker_.override_reason(WakeReason::cancelled));
  EXPECT_EQ(waker_.state(), State::waiting);
  events_[1]->fire();
  EXPECT_TRUE(waker_.override_reason(WakeReason::cancelled));
  EXPECT_EQ(events_[1]->reclaims, 0);
  EXPECT_EQ(finish(), WakeReason::cancelled);
}

}  // namespace
}  // namespace trueasync::test
