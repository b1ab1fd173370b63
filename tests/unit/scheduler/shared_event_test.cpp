// Events with several waiters, and the lifetimes of events and waiters.
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class SharedEvent : public ReactorTest {};

// R2
TEST_P(SharedEvent, WaiterKeepsEventAlive) {
  run([] {
    auto event = ManualEvent::make();
    bool destroyed = false;
    event->destroy_action = [&] { destroyed = true; };
    ManualEvent* raw = event.get();
    auto waiter = spawn([&] { wait_for(*raw); });
    yield();
    event = nullptr;
    EXPECT_FALSE(destroyed);
    raw->fire();
    EXPECT_FALSE(destroyed);  // the waiter is woken and has not run
    await(waiter);
    EXPECT_TRUE(destroyed);
    // The same for the event of a coroutine whose last handle is destroyed.
    auto task = spawn([] { yield(); });
    Event* task_event = &task.event();
    auto awaiter = spawn([&] { wait_for(*task_event); });
    yield();
    task = {};
    await(awaiter);
  });
}

// R3
TEST_P(SharedEvent, OneNotificationDeliversErrorToAllWaiters) {
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
    event->fire(0,
                std::make_exception_ptr(std::runtime_error("a message that is too long for the small-string buffer")));
    EXPECT_EQ(event->stops, 1);
    for (auto& waiter : waiters) EXPECT_EQ(await(waiter), "a message that is too long for the small-string buffer");
  });
}

// XC-12
TEST_P(SharedEvent, EventOwnedByWaiterMayBeDestroyedAfterWake) {
  // The event is on the waiter's frame. The notifier must not access it after the waiter has returned.
  run([] {
    for (int round = 0; round < 100; ++round) {
      ManualEvent* current = nullptr;
      auto waiter = spawn({.priority = Priority::high}, [&] {
        auto event = ManualEvent::make();
        current = event.get();
        wait_for(*event);
        current = nullptr;
      });
      yield();
      current->fire();
      auto notifier = spawn([&] { EXPECT_EQ(current, nullptr); });
      yield();
      EXPECT_TRUE(waiter.is_finished());
    }
  });
}

// XC-11 XC-12
TEST_P(SharedEvent, EventsOfOneWaitMayFireInOneLoopIteration) {
  // The first event ends the wait and unsubscribes from the second one while the reactor dispatches both.
  SimRuntime sim;
  sim.runtime->run([&] {
    auto task = spawn([&] {
      Ref<Event> a = poll_event(3, Readiness::readable);
      Ref<Event> b = poll_event(3, Readiness::either);
      Event* events[] = {a.get(), b.get()};
      return wait_any(events);
    });
    yield();
    sim.reactor->set_ready(3, detail::kPollReadable | detail::kPollWritable);
    EXPECT_EQ(await(task), 0u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(SharedEvent);

}  // namespace
}  // namespace trueasync::test
