// Events with several waiters, and who outlives whom (XC-12, R2, R3).
#include "unit/scheduler/manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class SharedEvent : public ReactorTest {
 protected:
  static void wait_for(Event& event) {
    Event* events[] = {&event};
    wait_any(events);
  }
};

// R2
TEST_P(SharedEvent, AnEventLivesAsLongAsSomebodyWaitsForIt) {
  run([] {
    auto event = ManualEvent::make();
    bool dead = false;
    event->while_dying = [&] { dead = true; };
    ManualEvent* raw = event.get();
    auto waiter = spawn([&] { wait_for(*raw); });
    yield();
    event = nullptr;
    EXPECT_FALSE(dead);
    raw->fire();
    EXPECT_FALSE(dead);  // woken, has not run
    await(waiter);
    EXPECT_TRUE(dead);
    // The same with a coroutine whose handle is gone.
    auto task = spawn([] { yield(); });
    Event* its_event = &task.event();
    auto awaiter = spawn([&] { wait_for(*its_event); });
    yield();
    task = {};
    await(awaiter);
  });
}

// R3
TEST_P(SharedEvent, OneBroadcastServesManyWaitersAndItsErrorOutlivesTheFirst) {
  run([] {
    auto event = ManualEvent::make();
    std::vector<Task<std::string>> waiters;
    for (int i = 0; i < 20; ++i) {
      waiters.push_back(spawn([&]() -> std::string {
        try {
          wait_for(*event);
          return "no error";
        } catch (const std::runtime_error& error) {
          return error.what();
        }
      }));
    }
    yield();
    EXPECT_EQ(event->starts, 1);
    event->fire(0, std::make_exception_ptr(std::runtime_error("a text that is too long to be kept in place")));
    EXPECT_EQ(event->stops, 1);
    for (auto& waiter : waiters) EXPECT_EQ(await(waiter), "a text that is too long to be kept in place");
  });
}

// XC-12
TEST_P(SharedEvent, WhatTheWaiterKeepsOnItsStackMayDieAtOnce) {
  // The notifier touches nothing after the wake, though it goes on and the waiter's frame is gone.
  run([] {
    for (int round = 0; round < 100; ++round) {
      ManualEvent* on_air = nullptr;
      auto waiter = spawn({.priority = Priority::high}, [&] {
        auto event = ManualEvent::make();
        on_air = event.get();
        wait_for(*event);
        on_air = nullptr;
      });
      yield();
      on_air->fire();
      auto notifier = spawn([&] { EXPECT_EQ(on_air, nullptr); });
      yield();
      EXPECT_TRUE(waiter.is_finished());
    }
  });
}

// XC-11 XC-12
TEST_P(SharedEvent, SeveralEventsOfOneWaitMayFireInOneTurn) {
  // The first ends the wait and takes the others out of their lists, in the middle of the round.
  SimRuntime world;
  world.runtime->run([&] {
    auto task = spawn([&] {
      Ref<Event> a = poll_event(3, Readiness::readable);
      Ref<Event> b = poll_event(3, Readiness::either);
      Event* events[] = {a.get(), b.get()};
      return wait_any(events);
    });
    yield();
    world.reactor->set_ready(3, detail::kPollReadable | detail::kPollWritable);
    EXPECT_EQ(await(task), 0u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(SharedEvent);

}  // namespace
}  // namespace trueasync::test
