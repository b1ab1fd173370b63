// Waits for several that end before all have fired: what had fired is handed back, or stays with the waiter.
#include <optional>
#include <span>
#include <stdexcept>

#include "manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class PartialWait : public ReactorTest {
 protected:
  // A coroutine that waits for both events; `token` and `limit` as asked for.
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

    void expect_first_was_handed_back(WakeReason expected) const {
      EXPECT_EQ(reason, expected);
      EXPECT_EQ(first->reclaims, 1);
      EXPECT_EQ(second->reclaims, 0);
      EXPECT_FALSE(first_fired) << "somebody else has it now";
      EXPECT_FALSE(second_fired);
      EXPECT_EQ(first->starts, first->stops);
      EXPECT_EQ(second->starts, second->stops);
    }
  };

  using Scheduler = detail::Scheduler;
};
TRUEASYNC_TEST_ON_ALL_REACTORS(PartialWait);

// CXL-05
TEST_P(PartialWait, TimeLimitHandsBackWhatHadFired) {
  run([] {
    Waiter waiter;
    waiter.timeout = 1ms;
    auto task = spawn([&] { waiter.wait_for_both(); });
    yield();
    waiter.first->fire();
    await(task);
    waiter.expect_first_was_handed_back(WakeReason::timed_out);
  });
}

// CXL-05
TEST_P(PartialWait, CancellationHandsBackWhatHadFired) {
  run([] {
    Waiter waiter;
    auto task = spawn([&] { waiter.wait_for_both(); });
    yield();
    waiter.first->fire();
    task.cancel();
    yield();
    waiter.expect_first_was_handed_back(WakeReason::cancelled);
  });
}

// CXL-04 CXL-05
TEST_P(PartialWait, TokenHandsBackWhatHadFired) {
  run([] {
    Waiter waiter;
    waiter.has_token = true;
    auto task = spawn([&] { waiter.wait_for_both(); });
    yield();
    waiter.first->fire();
    waiter.token->fire();
    await(task);
    waiter.expect_first_was_handed_back(WakeReason::token);
    EXPECT_EQ(waiter.token->reclaims, 0) << "a token promises nothing";
  });
}

// CXL-05
TEST_P(PartialWait, OneThatCannotBeStartedHandsBackWhatHadFired) {
  run([] {
    Waiter fires_at_once;
    fires_at_once.first->fires_early = true;
    fires_at_once.second->start_error = std::make_exception_ptr(std::runtime_error("no"));
    await(spawn([&] { fires_at_once.wait_for_both(); }));
    fires_at_once.expect_first_was_handed_back(WakeReason::error);

    Waiter had_happened;
    had_happened.first->happened = true;
    had_happened.second->start_error = fires_at_once.second->start_error;
    await(spawn([&] { had_happened.wait_for_both(); }));
    EXPECT_EQ(had_happened.reason, WakeReason::error);
    EXPECT_EQ(had_happened.first->starts, had_happened.first->stops);
  });
}

// CXL-05
TEST_P(PartialWait, WhatCannotBeHandedBackStaysWithTheWaiter) {
  // It sees why the wait ended, and takes what it was given.
  run([] {
    Waiter waiter;
    waiter.timeout = 1ms;
    waiter.second->gives_back = false;
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
TEST_P(PartialWait, CancelledBeforeItRunsKeepsOnlyThePromiseThatStands) {
  // Both had fired; half of what it waited for is no success.
  run([] {
    Waiter waiter;
    waiter.second->gives_back = false;
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
TEST_P(PartialWait, CancelledBeforeItRunsSucceedsWhenAllPromisesStand) {
  run([] {
    Waiter waiter;
    waiter.first->gives_back = waiter.second->gives_back = false;
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
TEST_P(PartialWait, FiredTriggerIsKeptForTheNextWaiterWhenTheOtherNeverCame) {
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
