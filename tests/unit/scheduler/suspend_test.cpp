// How a wait begins and what a waker is (SUS-01…03), and that anything that can be awaited is an event (EVT-01, EVT-05).
#include "unit/scheduler/manual_event.hpp"

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

TEST_P(Suspend, NothingIsActiveBeforeTheWait) {
  // SUS-01
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

TEST_P(Suspend, EverythingIsSubscribedBeforeAnythingIsStarted) {
  // SUS-01
  run([] {
    auto first = ManualEvent::make();
    auto second = ManualEvent::make();
    int checked = 0;
    auto check = [&] {
      ++checked;
      EXPECT_TRUE(first->has_subscribers());
      EXPECT_TRUE(second->has_subscribers());
    };
    first->while_starting = check;
    second->while_starting = check;
    auto waiter = spawn([&] {
      Event* events[] = {first.get(), second.get()};
      wait_all(events);
    });
    yield();
    EXPECT_EQ(checked, 2);
    EXPECT_TRUE(first->is_active() && second->is_active());
    first->while_starting = second->while_starting = nullptr;
    first->fire();
    EXPECT_FALSE(first->is_active());
    EXPECT_TRUE(second->is_active());
    second->fire();
    await(waiter);
    EXPECT_FALSE(second->is_active());
  });
}

TEST_P(Suspend, WhatHasHappenedEndsTheWaitWithoutASwitch) {
  // SUS-02
  run([] {
    auto never = ManualEvent::make();
    auto done = ManualEvent::make();
    done->happened = true;
    auto later = ManualEvent::make();
    const Statistics before = statistics();
    WaitEntry entries[] = {WaitEntry(*never), WaitEntry(*done), WaitEntry(*later)};
    EXPECT_EQ(wait_for(entries), WakeReason::event);
    EXPECT_FALSE(entries[0].fired);
    EXPECT_TRUE(entries[1].fired);
    EXPECT_EQ(entries[1].result.value, 7u);
    EXPECT_EQ((statistics() - before).switches, 0u);
    EXPECT_EQ((statistics() - before).ready_without_suspend, 1u);
    // What was started is stopped, what was not needed was never started.
    EXPECT_EQ(never->starts, 1);
    EXPECT_EQ(never->stops, 1);
    EXPECT_EQ(later->starts, 0);
    EXPECT_FALSE(never->has_subscribers() || done->has_subscribers() || later->has_subscribers());
  });
}

TEST_P(Suspend, WhatFiresWhileItIsStartedEndsTheWaitWithoutASwitch) {
  // SUS-02
  run([] {
    auto early = ManualEvent::make();
    early->fires_early = true;
    WaitEntry entry(*early);
    const Statistics before = statistics();
    EXPECT_EQ(wait_for({&entry, 1}), WakeReason::event);
    EXPECT_TRUE(entry.fired);
    EXPECT_EQ((statistics() - before).switches, 0u);
    EXPECT_FALSE(early->is_active());
  });
}

TEST_P(Suspend, AnEventThatCantBeStartedEndsTheWaitWithItsError) {
  // SUS-02 SUS-06
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

TEST_P(Suspend, TheWakerLivesInTheCoroutineAndGoesThroughItsStates) {
  // SUS-03
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

    auto never_runs = spawn([] { FAIL() << "it was cancelled before its start"; });
    never_runs.cancel();
    EXPECT_EQ(detail::Access::block(never_runs.coroutine())->waker().state(), WakerState::ignored);
    yield();
    EXPECT_TRUE(never_runs.is_cancelled());
  });
}

TEST_P(Suspend, AResultThatNeedsNoSwitchIsAStateOfItsOwn) {
  // SUS-03: seen from the event's death, which is when the wait lets go of it.
  run([] {
    auto event = ManualEvent::make();
    WakerState seen = WakerState::none;
    event->happened = true;
    event->while_dying = [&] { seen = detail::Access::block(current_coroutine())->waker().state(); };
    WaitEntry entry(*event);
    event->while_replaying = [&] { event = nullptr; };  // the wait's own reference is the last
    EXPECT_EQ(wait_for({&entry, 1}), WakeReason::event);
    EXPECT_EQ(seen, WakerState::result);
  });
}

TEST_P(Suspend, AnEntryMayServeOneWaitAfterAnother) {
  // SUS-03
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

TEST_P(Suspend, ACoroutineATimerAndATriggerAreEventsAndAreAwaitedTogether) {
  // EVT-01
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
    EXPECT_THROW(wait_any(with_timer), TimeoutError);  // a timer that limits something carries that error
    auto sleeper = spawn([] { delay(1ms); });
    Event* all[] = {&sleeper.event(), &task.event(), &trigger.event()};
    trigger.fire();
    wait_all(all);
    EXPECT_TRUE(sleeper.is_finished());
    for (Event* event : any) EXPECT_FALSE(event->is_active());
    for (Event* event : any) EXPECT_FALSE(event->describe().empty());
  });
}

TEST_P(Suspend, AHiddenEventNeitherKeepsTheProgramAliveNorHidesADeadlock) {
  // EVT-05
  run([this] {
    auto hidden = ManualEvent::make(&scheduler().reactor().liveness());
    hidden->set_background();
    Event* events[] = {hidden.get()};
    EXPECT_THROW(wait_any(events), DeadlockError);
    Timeout health_check(1h);
    health_check.event().set_background();
    Event* timer[] = {&health_check.event()};
    EXPECT_THROW(wait_any(timer), DeadlockError);
    EXPECT_EQ(statistics().deadlocks, 2u);
    EXPECT_FALSE(hidden->is_active() || health_check.event().is_active());
  });
}

TEST_P(Suspend, AHiddenEventStillWakes) {
  // EVT-05: as long as something visible keeps the program alive.
  run([] {
    Timeout hidden(1ms);
    hidden.event().set_background();
    auto visible = spawn([] { delay(1h); });
    Event* events[] = {&hidden.event()};
    EXPECT_THROW(wait_any(events), TimeoutError);
    EXPECT_FALSE(visible.is_finished());
    visible.cancel();
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Suspend);

}  // namespace
}  // namespace trueasync::test
