// Between the wake and the run (SUS-05, AW-16, XC-11, R1, R4).
#include "unit/scheduler/manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Delivery : public ReactorTest {
 protected:
  static void wait_for(Event& event) {
    Event* events[] = {&event};
    wait_any(events);
  }
};

TEST_P(Delivery, ALateWakeDoesNothing) {
  // SUS-05
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
    old_event->fire();  // the wait it belonged to is over
    for (int i = 0; i < 3; ++i) yield();
    EXPECT_EQ(log, "t");
    EXPECT_EQ(waiter.coroutine().state(), CoroutineState::suspended);
    new_event->fire();
    new_event->fire();  // it is queued already, and queued once
    EXPECT_EQ(statistics().ready, 1u);
    await(waiter);
    EXPECT_EQ(log, "tn");
  });
}

TEST_P(Delivery, OfAnEventAndATimeLimitAtTheSameMomentOneWins) {
  // SUS-05 XC-11
  SimRuntime world;
  world.runtime->run([&] {
    for (int round = 0; round < 10; ++round) {
      // Both are due in the same turn of the reactor; the time limit was armed first or second.
      auto task = spawn([] { delay(1ms); });
      if (round % 2) yield();
      Event* events[] = {&task.event()};
      try {
        EXPECT_EQ(wait_any(events, 1ms), 0u);
      } catch (const TimeoutError&) {
      }
      EXPECT_EQ(detail::Access::scheduler(*world.runtime).has_ready() ? 1u : 0u, statistics().ready);
      await(task);
    }
  });
}

TEST_P(Delivery, EveryWayOutOfAWaitLeavesNothingBehind) {
  // AW-16 CA-04 R4 XC-10
  run([this] {
    LivenessCounts& liveness = scheduler().reactor().liveness();
    auto event = ManualEvent::make(&liveness);
    auto token = ManualEvent::make(&liveness);
    auto waits = [&](std::optional<std::chrono::nanoseconds> timeout) {
      return spawn([&, timeout] {
        WaitEntry entries[] = {WaitEntry(*event), WaitEntry(*token, true)};
        WaitRequest request;
        request.entries = entries;
        if (timeout) request.deadline = scheduler().reactor().now() + *timeout;
        return wait(request);
      });
    };
    auto clean = [&] {
      return !event->is_active() && !event->has_subscribers() && !token->is_active() && !token->has_subscribers() &&
             liveness.foreground == 0;
    };
    auto by_event = waits(1h);
    yield();
    EXPECT_EQ(liveness.foreground, 2u);
    event->fire();
    EXPECT_TRUE(clean());  // at the wake, not only when it runs: a coroutine resumed late finds no stale subscription
    EXPECT_EQ(await(by_event), WakeReason::event);
    auto by_token = waits(1h);
    yield();
    token->fire();
    EXPECT_EQ(await(by_token), WakeReason::token);
    EXPECT_TRUE(clean());
    EXPECT_EQ(await(waits(1ms)), WakeReason::timed_out);
    EXPECT_TRUE(clean());
    auto by_cancel = waits(1h);
    yield();
    by_cancel.cancel();
    EXPECT_EQ(await(by_cancel), WakeReason::cancelled);
    EXPECT_TRUE(clean());
    EXPECT_EQ(event->starts, event->stops);
    EXPECT_EQ(token->starts, token->stops);
    EXPECT_EQ(runtime().leak_report().timers, 0u);
  });
}

TEST_P(Delivery, WhatAWokenOneWasPromisedGoesBackWhenItIsCancelled) {
  // R1 CXL-05
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
    waiter.cancel();  // woken, has not run
    yield();
    EXPECT_EQ(log, "cancelled");
    EXPECT_EQ(event->reclaims, 1);
  });
}

TEST_P(Delivery, APromiseThatCantBeTakenBackIsDelivered) {
  // R1 CXL-05
  run([] {
    auto event = ManualEvent::make();
    event->gives_back = false;
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

TEST_P(Delivery, AnythingMayRunBetweenTheWakeAndTheWoken) {
  // R1: the result of the wait is the waiter's own from the wake on.
  run([] {
    auto event = ManualEvent::make();
    std::uintptr_t got = 0;
    auto waiter = spawn([&] {
      WaitEntry entry(*event);
      WaitRequest request;
      request.entries = std::span(&entry, 1);
      wait(request);
      got = entry.result.value;
    });
    yield();
    spawn([&] { event->fire(2); });  // runs between
    event->fire(1);
    await(waiter);
    EXPECT_EQ(got, 1u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Delivery);

}  // namespace
}  // namespace trueasync::test
