// The time between the wake of a coroutine and its run.
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class WakeDelivery : public ReactorTest {};

// SUS-05
TEST_P(WakeDelivery, EventOfEarlierWaitDoesNotWake) {
  run([] {
    auto old_event = ManualEvent::make();
    auto new_event = ManualEvent::make();
    std::string log;
    auto waiter = spawn([&] {
      Event* first[] = {old_event.get()};
      EXPECT_THROW(wait_any(first, 1ms), TimeoutError);
      log += 't';
      wait_for(*new_event);
      log += 'n';
    });
    while (log.empty()) delay(1ms);
    old_event->fire();  // its wait has timed out
    for (int i = 0; i < 3; ++i) yield();
    EXPECT_EQ(log, "t");
    EXPECT_EQ(waiter.coroutine().state(), CoroutineState::suspended);
    new_event->fire();
    new_event->fire();  // the waiter is in the ready queue already
    EXPECT_EQ(statistics().ready, 1u);
    await(waiter);
    EXPECT_EQ(log, "tn");
  });
}

// SUS-05 XC-11
TEST_P(WakeDelivery, SimultaneousEventAndTimeoutWakeOnce) {
  SimRuntime sim;
  sim.runtime->run([&] {
    for (int round = 0; round < 10; ++round) {
      // Both are due in the same loop iteration. In odd rounds the delay is armed first.
      auto task = spawn([] { delay(1ms); });
      if (round % 2) yield();
      Event* events[] = {&task.event()};
      try {
        EXPECT_EQ(wait_any(events, 1ms), 0u);
      } catch (const TimeoutError&) {
      }
      EXPECT_EQ(detail::Access::scheduler(*sim.runtime).has_ready() ? 1u : 0u, statistics().ready);
      await(task);
    }
  });
}

// AW-16 CA-04 R4 XC-10
TEST_P(WakeDelivery, EveryWakeReasonUnsubscribesAndStops) {
  run([this] {
    LivenessCounts& liveness = scheduler().reactor().liveness();
    auto event = ManualEvent::make(liveness);
    auto token = ManualEvent::make(liveness);
    auto spawn_waiter = [&](std::optional<std::chrono::nanoseconds> timeout) {
      return spawn([&, timeout] {
        WaitEntry entries[] = {WaitEntry(*event), WaitEntry(*token, true)};
        WaitRequest request;
        request.entries = entries;
        if (timeout) request.deadline = scheduler().reactor().now() + *timeout;
        return wait(request);
      });
    };
    auto is_clean = [&] {
      return !event->is_active() && !event->has_subscribers() && !token->is_active() && !token->has_subscribers() &&
             liveness.foreground == 0;
    };
    auto by_event = spawn_waiter(1h);
    yield();
    EXPECT_EQ(liveness.foreground, 2u);
    event->fire();
    EXPECT_TRUE(is_clean());  // at the wake already, before the waiter runs
    EXPECT_EQ(await(by_event), WakeReason::event);
    auto by_token = spawn_waiter(1h);
    yield();
    token->fire();
    EXPECT_EQ(await(by_token), WakeReason::token);
    EXPECT_TRUE(is_clean());
    EXPECT_EQ(await(spawn_waiter(1ms)), WakeReason::timed_out);
    EXPECT_TRUE(is_clean());
    auto by_cancel = spawn_waiter(1h);
    yield();
    by_cancel.cancel();
    EXPECT_EQ(await(by_cancel), WakeReason::cancelled);
    EXPECT_TRUE(is_clean());
    EXPECT_EQ(event->starts, event->stops);
    EXPECT_EQ(token->starts, token->stops);
    EXPECT_EQ(runtime().leak_report().timers, 0u);
  });
}

// R1 CXL-05
TEST_P(WakeDelivery, CancelAfterWakeReclaimsGrant) {
  run([] {
    auto event = ManualEvent::make();
    std::string log;
    auto waiter = spawn([&] {
      try {
        wait_for(*event);
        log += "event";
      } catch (const Cancelled&) {
        log += "cancelled";
        throw;
      }
    });
    yield();
    event->fire();
    waiter.cancel();  // the waiter is woken and has not run
    yield();
    EXPECT_EQ(log, "cancelled");
    EXPECT_EQ(event->reclaims, 1);
  });
}

// R1 CXL-05
TEST_P(WakeDelivery, GrantThatCannotBeReclaimedIsDelivered) {
  run([] {
    auto event = ManualEvent::make();
    event->can_reclaim = false;
    std::string log;
    auto waiter = spawn([&] {
      wait_for(*event);
      log += "event";
      yield();
      log += "not cancelled";
    });
    yield();
    event->fire();
    waiter.cancel();
    EXPECT_THROW(await(waiter), Cancelled);
    EXPECT_EQ(log, "event");
  });
}

// R1
TEST_P(WakeDelivery, NotificationAfterWakeDoesNotChangeResult) {
  // The wake stores the result. Later notifications do not change it.
  run([] {
    auto event = ManualEvent::make();
    std::uintptr_t received = 0;
    auto waiter = spawn([&] {
      WaitEntry entry(*event);
      WaitRequest request;
      request.entries = std::span(&entry, 1);
      wait(request);
      received = entry.result.value;
    });
    yield();
    spawn([&] { event->fire(2); });  // runs before the waiter
    event->fire(1);
    await(waiter);
    EXPECT_EQ(received, 1u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(WakeDelivery);

}  // namespace
}  // namespace trueasync::test
