// Waits for several events that end early: grants of events that had fired are reclaimed, or stay with the waiter.
#include <optional>
#include <span>
#include <stdexcept>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class PartialWait : public ReactorTest {
 protected:
  // Waits for two events, optionally with a token and a timeout.
  struct Waiter {
    Ref<ManualEvent> first = ManualEvent::make();
    Ref<ManualEvent> second = ManualEvent::make();
    Ref<ManualEvent> token = ManualEvent::make();
    bool has_token = false;
    std::optional<std::chrono::nanoseconds> timeout;

    WakeReason reason = WakeReason::none;
    bool first_fired = false;
    bool second_fired = false;
    std::uintptr_t second_value = 0;

    void wait_for_both() {
      WaitEntry entries[] = {WaitEntry(*first), WaitEntry(*second), WaitEntry(*token, true)};
      WaitRequest request;
      request.entries = std::span(entries, has_token ? 3 : 2);
      request.needed = 2;
      if (timeout) request.deadline = Scheduler::current()->reactor().now() + *timeout;
      reason = wait(request);
      first_fired = entries[0].fired;
      second_fired = entries[1].fired;
      second_value = entries[1].result.value;
    }

    void expect_first_reclaimed(WakeReason expected) const {
      EXPECT_EQ(reason, expected);
      EXPECT_EQ(first->reclaims, 1);
      EXPECT_EQ(second->reclaims, 0);
      EXPECT_FALSE(first_fired) << "the grant was reclaimed";
      EXPECT_FALSE(second_fired);
      EXPECT_EQ(first->starts, first->stops);
      EXPECT_EQ(second->starts, second->stops);
    }
  };

  using Scheduler = detail::Scheduler;
};
TRUEASYNC_TEST_ON_ALL_REACTORS(PartialWait);

// CXL-05
TEST_P(PartialWait, TimeoutReclaimsGrantOfFiredEvent) {
  run([] {
    Waiter waiter;
    waiter.timeout = 1ms;
    auto task = spawn([&] { waiter.wait_for_both(); });
    yield();
    waiter.first->fire();
    await(task);
    waiter.expect_first_reclaimed(WakeReason::timed_out);
  });
}

// CXL-05
TEST_P(PartialWait, CancelReclaimsGrantOfFiredEvent) {
  run([] {
    Waiter waiter;
    auto task = spawn([&] { waiter.wait_for_both(); });
    yield();
    waiter.first->fire();
    task.cancel();
    yield();
    waiter.expect_first_reclaimed(WakeReason::cancelled);
  });
}

// CXL-04 CXL-05
TEST_P(PartialWait, TokenReclaimsGrantOfFiredEvent) {
  run([] {
    Waiter waiter;
    waiter.has_token = true;
    auto task = spawn([&] { waiter.wait_for_both(); });
    yield();
    waiter.first->fire();
    waiter.token->fire();
    await(task);
    waiter.expect_first_reclaimed(WakeReason::token);
    EXPECT_EQ(waiter.token->reclaims, 0) << "a token grants nothing";
  });
}

// CXL-05
TEST_P(PartialWait, StartErrorReclaimsGrantOfFiredEvent) {
  run([] {
    Waiter early;
    early.first->fires_on_start = true;
    early.second->start_error = std::make_exception_ptr(std::runtime_error("no"));
    await(spawn([&] { early.wait_for_both(); }));
    early.expect_first_reclaimed(WakeReason::error);

    Waiter replayed;
    replayed.first->completed = true;
    replayed.second->start_error = early.second->start_error;
    await(spawn([&] { replayed.wait_for_both(); }));
    EXPECT_EQ(replayed.reason, WakeReason::error);
    EXPECT_EQ(replayed.first->starts, replayed.first->stops);
  });
}

// CXL-05
TEST_P(PartialWait, GrantThatCannotBeReclaimedStaysWithWaiter) {
  // The waiter gets both the reason of the wake and the result of the event.
  run([] {
    Waiter waiter;
    waiter.timeout = 1ms;
    waiter.second->can_reclaim = false;
    auto task = spawn([&] { waiter.wait_for_both(); });
    yield();
    waiter.second->fire(5);
    await(task);
    EXPECT_EQ(waiter.reason, WakeReason::timed_out);
    EXPECT_EQ(waiter.second->reclaims, 1);
    EXPECT_FALSE(waiter.first_fired);
    EXPECT_TRUE(waiter.second_fired);
    EXPECT_EQ(waiter.second_value, 5u);
  });
}

// CXL-05
TEST_P(PartialWait, CancelAfterWakeKeepsUnreclaimableGrant) {
  // Both events had fired, but only one grant is left, so the wait reports the cancellation.
  run([] {
    Waiter waiter;
    waiter.second->can_reclaim = false;
    auto task = spawn([&] { waiter.wait_for_both(); });
    yield();
    waiter.first->fire();
    waiter.second->fire(5);
    task.cancel();
    yield();
    EXPECT_EQ(waiter.reason, WakeReason::cancelled);
    EXPECT_EQ(waiter.first->reclaims, 1);
    EXPECT_EQ(waiter.second->reclaims, 1);
    EXPECT_FALSE(waiter.first_fired);
    EXPECT_TRUE(waiter.second_fired);
    EXPECT_EQ(waiter.second_value, 5u);
  });
}

// CXL-05
TEST_P(PartialWait, CancelAfterWakeSucceedsIfNothingIsReclaimable) {
  run([] {
    Waiter waiter;
    waiter.first->can_reclaim = waiter.second->can_reclaim = false;
    auto task = spawn([&] { waiter.wait_for_both(); });
    yield();
    waiter.first->fire();
    waiter.second->fire();
    task.cancel();
    yield();
    EXPECT_EQ(waiter.reason, WakeReason::event);
    EXPECT_TRUE(waiter.first_fired);
    EXPECT_TRUE(waiter.second_fired);
  });
}

// CXL-05
TEST_P(PartialWait, FiredTriggerIsKeptAfterTimeoutOfWaitAll) {
  run([] {
    Trigger fired;
    Trigger never;
    fired.fire();
    Event* both[] = {&fired.event(), &never.event()};
    EXPECT_THROW(wait_all(both, 20ms), TimeoutError);
    Event* one[] = {&fired.event()};
    EXPECT_EQ(wait_any(one, 10s), 0u);
  });
}

}  // namespace
}  // namespace trueasync::test
