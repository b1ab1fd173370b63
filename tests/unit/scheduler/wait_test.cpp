// Waits for several events with a timeout and a token, and the errors they throw.
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Wait : public ReactorTest {};

// SUS-04
TEST_P(Wait, ReportsFiredEntryAndUnsubscribesAll) {
  run([this] {
    auto first = ManualEvent::make();
    auto second = ManualEvent::make(scheduler().reactor().liveness());
    auto token = ManualEvent::make();
    auto task = spawn([] { delay(1h); });
    WaitEntry entries[] = {WaitEntry(*first), WaitEntry(*second), WaitEntry(task.event()), WaitEntry(*token, true)};
    WaitRequest request;
    request.entries = entries;
    request.deadline = scheduler().reactor().now() + 1h;
    spawn([&] { second->fire(9); });
    EXPECT_EQ(wait(request), WakeReason::event);
    EXPECT_TRUE(!entries[0].fired && entries[1].fired && !entries[2].fired && !entries[3].fired);
    EXPECT_EQ(entries[1].result.value, 9u);
    for (WaitEntry& entry : entries) EXPECT_FALSE(entry.event->is_active() || entry.event->has_subscribers());
    EXPECT_EQ(scheduler().reactor().liveness().foreground, 0u);
    EXPECT_EQ(runtime().leak_report().timers, 1u);  // the timer of `task`
    task.cancel();
  });
}

// SUS-04
TEST_P(Wait, EndsAtItsDeadline) {
  run([this] {
    auto never = ManualEvent::make();
    WaitEntry entry(*never);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    request.deadline = scheduler().reactor().now() + 1ms;
    EXPECT_EQ(wait(request), WakeReason::timed_out);
    EXPECT_FALSE(entry.fired);
    EXPECT_FALSE(never->is_active() || never->has_subscribers());
    EXPECT_EQ(runtime().leak_report().timers, 0u);
  });
}

// SUS-04 CXL-04
TEST_P(Wait, EndsWhenItsTokenFires) {
  run([] {
    auto gate = ManualEvent::make();
    auto task = spawn([&] {
      Event* events[] = {gate.get()};
      wait_any(events);
      return 5;
    });
    auto token = ManualEvent::make();
    spawn([&] { token->fire(1, std::make_exception_ptr(std::logic_error("enough"))); });
    try {
      await(task, *token);
      FAIL() << "the token did not end the wait";
    } catch (const OperationCancelled& cancelled) {
      EXPECT_THROW(std::rethrow_exception(cancelled.cause()), std::logic_error);
    }
    EXPECT_FALSE(task.event().has_subscribers());
    EXPECT_THROW(await(task, timeout(1ms)), OperationCancelled);
    // The task is not cancelled.
    gate->fire();
    EXPECT_EQ(await(task), 5);
    EXPECT_EQ(await(spawn([] { return 6; }), timeout(1h)), 6);
  });
}

// SUS-04
TEST_P(Wait, EndsAfterNeededNumberOfEvents) {
  run([] {
    std::vector<Ref<ManualEvent>> events;
    std::vector<WaitEntry> entries(20);  // more entries than wait_any() keeps on the stack
    for (auto& entry : entries) {
      events.push_back(ManualEvent::make());
      entry.event = events.back().get();
    }
    spawn([&] {
      for (std::size_t i : {3, 3, 7, 19, 0}) events[i]->fire(i);
    });
    WaitRequest request;
    request.entries = entries;
    request.needed = 3;
    EXPECT_EQ(wait(request), WakeReason::event);
    // The second fire of event 3 has no subscriber. Event 0 fires after the wait has ended.
    for (std::size_t i = 0; i < entries.size(); ++i) EXPECT_EQ(entries[i].fired, i == 3 || i == 7 || i == 19) << i;
    for (auto& event : events) EXPECT_FALSE(event->is_active() || event->has_subscribers());
  });
}

// SUS-04
TEST_P(Wait, AcceptsAnyNumberOfEvents) {
  run([] {
    std::vector<Ref<ManualEvent>> gates;
    std::vector<Task<void>> tasks;
    std::vector<Event*> events;
    for (int i = 0; i < 100; ++i) {
      gates.push_back(ManualEvent::make());
      tasks.push_back(spawn([gate = gates.back()] {
        Event* events_of_task[] = {gate.get()};
        wait_any(events_of_task);
      }));
      events.push_back(&tasks.back().event());
    }
    spawn([&] { gates[50]->fire(); });
    EXPECT_EQ(wait_any(events), 50u);
    spawn([&] {
      for (auto& gate : gates) gate->fire();
      delay(1ms);
    });
    wait_all(events, 10min);
    for (auto& task : tasks) EXPECT_TRUE(task.is_finished());
  });
}

// SUS-04 EVT-03
TEST_P(Wait, EventMayOccurTwiceInOneWait) {
  run([] {
    auto event = ManualEvent::make();
    Event* events[] = {event.get(), event.get()};
    spawn([&] { event->fire(); });
    wait_all(events);
    EXPECT_EQ(event->starts, 1);
    EXPECT_EQ(event->stops, 1);
  });
}

// SUS-06
TEST_P(Wait, WaitAllEndsWithFirstError) {
  run([] {
    auto fails = ManualEvent::make();
    auto never = ManualEvent::make();
    spawn([&] { fails->fire(0, std::make_exception_ptr(std::domain_error("broken"))); });
    Event* events[] = {never.get(), fails.get()};
    EXPECT_THROW(wait_all(events), std::domain_error);
    EXPECT_FALSE(never->is_active() || never->has_subscribers());
  });
}

// AW-15
TEST_P(Wait, WaitWithoutEventsYields) {
  run([] {
    int ran = 0;
    spawn([&] { ++ran; });
    EXPECT_EQ(wait_any({}), 0u);
    EXPECT_EQ(ran, 1);
    spawn([&] { ++ran; });
    wait_all({});
    EXPECT_EQ(ran, 2);
    spawn([&] { ++ran; });
    WaitRequest request;
    EXPECT_EQ(wait(request), WakeReason::none);
    EXPECT_EQ(ran, 3);
    spawn([&] { ++ran; });
    delay(0ns);
    delay(-5ms);
    EXPECT_EQ(ran, 4);
    EXPECT_EQ(statistics().deadlocks, 0u);
  });
}

// SUS-04
TEST_P(Wait, DelayIsNeverTooShort) {
  run([this] {
    for (auto length : {1ns, 100'000ns, 1'500'000ns, 3'000'000ns}) {
      const TimePoint before = scheduler().reactor().now();
      delay(length);
      EXPECT_GE(scheduler().reactor().now() - before, length);
    }
  });
}

// SUS-06
TEST_P(Wait, ErrorOfEventIsThrownByWait) {
  run([] {
    auto event = ManualEvent::make();
    std::string result;
    auto waiter = spawn([&] {
      Event* events[] = {event.get()};
      try {
        wait_any(events);
        result = "no error";
      } catch (const std::underflow_error& error) {
        result = error.what();
      }
    });
    yield();
    event->fire(0, std::make_exception_ptr(std::underflow_error("underflow")));
    await(waiter);
    EXPECT_EQ(result, "underflow");
  });
}

// SUS-06 ST-10
TEST_P(Wait, TimeoutErrorNamesCoroutineAndLocation) {
  run([] {
    auto never = ManualEvent::make();
    std::string text;
    unsigned line = 0;
    auto waiter = spawn({.name = "waiter"}, [&] {
      Event* events[] = {never.get()};
      try {
        line = unsigned{__LINE__} + 1;
        wait_any(events, 1ms);
      } catch (const TimeoutError& error) {
        text = error.what();
      }
    });
    await(waiter);
    EXPECT_NE(text.find("\"waiter\""), std::string::npos) << text;
    EXPECT_NE(text.find("wait_test.cpp:" + std::to_string(line)), std::string::npos) << text;
  });
}

// ST-10 SUS-06
TEST_P(Wait, DeadlockErrorNamesEverySuspendLocation) {
  // The scheduler throws the error in main. The message has the location of every suspended coroutine.
  run([] {
    auto never = ManualEvent::make();
    Event* events[] = {never.get()};
    auto waiter = spawn({.name = "waiter"}, [&] { wait_any(events); });
    const unsigned line = unsigned{__LINE__} + 2;
    try {
      wait_any(events);
      FAIL() << "no deadlock was reported";
    } catch (const DeadlockError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("suspended at wait_test.cpp:" + std::to_string(line)), std::string::npos) << text;
      EXPECT_NE(text.find("suspended at wait_test.cpp:" + std::to_string(line - 3)), std::string::npos) << text;
      EXPECT_NE(text.find("\"waiter\""), std::string::npos) << text;
    }
    never->fire();
    await(waiter);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Wait);

}  // namespace
}  // namespace trueasync::test
