// The start of a wait, the states of the waker, and waits for different kinds of events.
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::WakerState;

class Suspend : public ReactorTest {
 protected:
  static WakeReason wait_for(std::span<WaitEntry> entries, std::uint32_t needed = 1) {
    WaitRequest request;
    request.entries = entries;
    request.needed = needed;
    return wait(request);
  }
};

// SUS-01
TEST_P(Suspend, EventsAreInactiveBeforeWait) {
  run([&] {
    Timeout token(1h);
    auto descriptor = poll_event(0, Readiness::readable);
    Trigger trigger;
    EXPECT_FALSE(token.event().is_active());
    EXPECT_FALSE(descriptor->is_active());
    EXPECT_FALSE(trigger.event().is_active());
    EXPECT_EQ(runtime().leak_report().events, 0u);
    EXPECT_EQ(runtime().leak_report().timers, 0u);
  });
}

// SUS-01
TEST_P(Suspend, AllEventsAreSubscribedBeforeFirstStart) {
  run([] {
    auto first = ManualEvent::make();
    auto second = ManualEvent::make();
    int checked = 0;
    auto check = [&] {
      ++checked;
      EXPECT_TRUE(first->has_subscribers());
      EXPECT_TRUE(second->has_subscribers());
    };
    first->start_action = check;
    second->start_action = check;
    auto waiter = spawn([&] {
      Event* events[] = {first.get(), second.get()};
      wait_all(events);
    });
    yield();
    EXPECT_EQ(checked, 2);
    EXPECT_TRUE(first->is_active() && second->is_active());
    first->start_action = second->start_action = nullptr;
    first->fire();
    EXPECT_FALSE(first->is_active());
    EXPECT_TRUE(second->is_active());
    second->fire();
    await(waiter);
    EXPECT_FALSE(second->is_active());
  });
}

// SUS-02
TEST_P(Suspend, CompletedEventEndsWaitWithoutSwitch) {
  run([] {
    auto never = ManualEvent::make();
    auto done = ManualEvent::make();
    done->completed = true;
    auto last = ManualEvent::make();
    const Statistics before = statistics();
    WaitEntry entries[] = {WaitEntry(*never), WaitEntry(*done), WaitEntry(*last)};
    EXPECT_EQ(wait_for(entries), WakeReason::event);
    EXPECT_FALSE(entries[0].fired);
    EXPECT_TRUE(entries[1].fired);
    EXPECT_EQ(entries[1].result.value, 7u);
    EXPECT_EQ((statistics() - before).switches, 0u);
    EXPECT_EQ((statistics() - before).ready_without_suspend, 1u);
    // The event that was started is stopped. The last event was not needed and is never started.
    EXPECT_EQ(never->starts, 1);
    EXPECT_EQ(never->stops, 1);
    EXPECT_EQ(last->starts, 0);
    EXPECT_FALSE(never->has_subscribers() || done->has_subscribers() || last->has_subscribers());
  });
}

// SUS-02
TEST_P(Suspend, EventFiredInStartEndsWaitWithoutSwitch) {
  run([] {
    auto early = ManualEvent::make();
    early->fires_on_start = true;
    WaitEntry entry(*early);
    const Statistics before = statistics();
    EXPECT_EQ(wait_for({&entry, 1}), WakeReason::event);
    EXPECT_TRUE(entry.fired);
    EXPECT_EQ((statistics() - before).switches, 0u);
    EXPECT_FALSE(early->is_active());
  });
}

// SUS-02 SUS-06
TEST_P(Suspend, StartErrorEndsWait) {
  run([] {
    auto good = ManualEvent::make();
    auto bad = ManualEvent::make();
    bad->start_error = std::make_exception_ptr(std::domain_error("no such device"));
    Event* events[] = {good.get(), bad.get()};
    EXPECT_THROW(wait_any(events), std::domain_error);
    EXPECT_EQ(good->starts, good->stops);
    EXPECT_FALSE(good->has_subscribers() || bad->has_subscribers());
  });
}

// SUS-03
TEST_P(Suspend, WakerStateFollowsWait) {
  run([] {
    auto event = ManualEvent::make();
    auto waiter = spawn([&] {
      EXPECT_EQ(detail::Access::block(current_coroutine())->waker().state(), WakerState::none);
      Event* events[] = {event.get()};
      wait_any(events);
      EXPECT_EQ(detail::Access::block(current_coroutine())->waker().state(), WakerState::none);
    });
    const detail::Waker& waker = detail::Access::block(waiter.coroutine())->waker();
    EXPECT_EQ(waker.state(), WakerState::queued);
    yield();
    EXPECT_EQ(waker.state(), WakerState::waiting);
    event->fire();
    EXPECT_EQ(waker.state(), WakerState::queued);
    await(waiter);

    auto never_runs = spawn([] { FAIL() << "a coroutine cancelled before its start ran"; });
    never_runs.cancel();
    EXPECT_EQ(detail::Access::block(never_runs.coroutine())->waker().state(), WakerState::ignored);
    yield();
    EXPECT_TRUE(never_runs.is_cancelled());
  });
}

// SUS-03
TEST_P(Suspend, ReplayedResultHasItsOwnWakerState) {
  // The event is destroyed when the wait releases it, so its destructor can observe the state.
  run([] {
    auto event = ManualEvent::make();
    WakerState observed = WakerState::none;
    event->completed = true;
    event->destroy_action = [&] { observed = detail::Access::block(current_coroutine())->waker().state(); };
    WaitEntry entry(*event);
    event->replay_action = [&] { event = nullptr; };  // the wait has the last reference
    EXPECT_EQ(wait_for({&entry, 1}), WakeReason::event);
    EXPECT_EQ(observed, WakerState::result);
  });
}

// SUS-03
TEST_P(Suspend, WaitEntryMayBeReused) {
  run([] {
    auto event = ManualEvent::make();
    auto firer = spawn([&] {
      for (std::uintptr_t i = 1; i <= 3; ++i) {
        event->fire(i);
        yield();
      }
    });
    WaitEntry entry(*event);
    for (std::uintptr_t i = 1; i <= 3; ++i) {
      EXPECT_EQ(wait_for({&entry, 1}), WakeReason::event);
      EXPECT_EQ(entry.result.value, i);
    }
    EXPECT_EQ(event->starts, 3);
    EXPECT_EQ(event->stops, 3);
  });
}

// EVT-01
TEST_P(Suspend, CoroutineTimerAndTriggerAreAwaitedTogether) {
  run([] {
    auto gate = ManualEvent::make();
    auto task = spawn([&] {
      Event* events[] = {gate.get()};
      wait_any(events);
    });
    Timeout timer(1h);
    Trigger trigger;
    Event* any[] = {&timer.event(), &task.event(), &trigger.event()};
    spawn([&] { trigger.fire(); });
    EXPECT_EQ(wait_any(any), 2u);
    spawn([&] { gate->fire(); });
    EXPECT_EQ(wait_any(any), 1u);
    Timeout soon(1ms);
    Event* with_timer[] = {&soon.event(), &trigger.event()};
    EXPECT_THROW(wait_any(with_timer), TimeoutError);  // a Timeout fires with this error
    auto sleeper = spawn([] { delay(1ms); });
    Event* all[] = {&sleeper.event(), &task.event(), &trigger.event()};
    trigger.fire();
    wait_all(all);
    EXPECT_TRUE(sleeper.is_finished());
    for (Event* event : any) EXPECT_FALSE(event->is_active());
    for (Event* event : any) EXPECT_FALSE(event->describe().empty());
  });
}

// EVT-05
TEST_P(Suspend, BackgroundEventDoesNotPreventDeadlockDetection) {
  run([this] {
    auto background = ManualEvent::make(scheduler().reactor().liveness());
    background->set_background();
    Event* events[] = {background.get()};
    EXPECT_THROW(wait_any(events), DeadlockError);
    Timeout health_check(1h);
    health_check.event().set_background();
    Event* timer[] = {&health_check.event()};
    EXPECT_THROW(wait_any(timer), DeadlockError);
    EXPECT_EQ(statistics().deadlocks, 2u);
    EXPECT_FALSE(background->is_active() || health_check.event().is_active());
  });
}

// EVT-05
TEST_P(Suspend, BackgroundEventWakesWaiter) {
  // While a foreground event keeps the program alive.
  run([] {
    Timeout background(1ms);
    background.event().set_background();
    auto foreground = spawn([] { delay(1h); });
    Event* events[] = {&background.event()};
    EXPECT_THROW(wait_any(events), TimeoutError);
    EXPECT_FALSE(foreground.is_finished());
    foreground.cancel();
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Suspend);

}  // namespace
}  // namespace trueasync::test
