// Woken is not served: what a woken coroutine was promised and does not take goes to the next (R1), and every wait ends
// its subscriptions exactly once.
#include <gtest/gtest.h>

#include "manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class CancelPromise : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CancelPromise);

// R1 CXL-05
TEST_P(CancelPromise, WhatACancelledWaiterWasPromisedGoesToTheNext) {
  run([] {
    HandoffEvent baton;
    baton.take();
    bool first_had_it = false, second_had_it = false;
    auto first = spawn([&] {
      baton.take();
      first_had_it = true;
      baton.give();
    });
    auto second = spawn([&] {
      baton.take();
      second_had_it = true;
      baton.give();
    });
    yield();
    EXPECT_EQ(baton.waiting(), 2u);
    baton.give();    // first is woken …
    first.cancel();  // … and leaves before it has run
    EXPECT_THROW(await(first), Cancelled);
    await(second);
    EXPECT_FALSE(first_had_it);
    EXPECT_TRUE(second_had_it);
    EXPECT_TRUE(baton.is_free());
  });
}

// R1 CXL-05
TEST_P(CancelPromise, LastWaiterLeavesItFree) {
  run([] {
    HandoffEvent baton;
    baton.take();
    auto only = spawn([&] { baton.take(); });
    yield();
    baton.give();
    only.cancel();
    EXPECT_THROW(await(only), Cancelled);
    EXPECT_TRUE(baton.is_free());
    EXPECT_EQ(baton.waiting(), 0u);
  });
}

// R1 CXL-05
TEST_P(CancelPromise, ChainOfCancelledWaitersPassesItOn) {
  run([] {
    HandoffEvent baton;
    baton.take();
    std::vector<Task<void>> waiters;
    int served = 0;
    for (int i = 0; i < 5; ++i) {
      waiters.push_back(spawn([&] {
        baton.take();
        ++served;
        baton.give();
      }));
    }
    yield();
    baton.give();
    for (int i = 0; i < 4; ++i) waiters[i].cancel();
    for (int i = 0; i < 4; ++i) EXPECT_THROW(await(waiters[i]), Cancelled);
    await(waiters[4]);
    EXPECT_EQ(served, 1);
    EXPECT_TRUE(baton.is_free());
  });
}

// R1 CXL-05 CA-01
TEST_P(CancelPromise, PromiseThatCantBeTakenBackStands) {
  // The result is delivered, the cancellation comes at the next suspension.
  run([] {
    auto event = ManualEvent::make();
    event->gives_back = false;
    bool got_it = false;
    auto task = spawn([&] {
      wait_for(*event);
      got_it = true;
      yield();
      ADD_FAILURE() << "the cancellation must come here";
    });
    yield();
    event->fire();
    EXPECT_TRUE(task.cancel());
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_TRUE(got_it);
    EXPECT_EQ(event->reclaims, 1);
  });
}

// R1
TEST_P(CancelPromise, NothingIsTakenBackFromOneThatWasOnlyWaiting) {
  run([] {
    auto event = ManualEvent::make();
    auto task = spawn([&] { wait_for(*event); });
    yield();
    task.cancel();
    event->fire();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(event->reclaims, 0);
  });
}

// R1 CA-06
TEST_P(CancelPromise, ProtectedWaiterKeepsWhatItWasPromised) {
  run([] {
    HandoffEvent baton;
    baton.take();
    bool had_it = false;
    auto task = spawn([&] {
      protect([&] {
        baton.take();
        had_it = true;
        baton.give();
      });
    });
    yield();
    baton.give();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_TRUE(had_it);
    EXPECT_TRUE(baton.is_free());
  });
}

// CA-04
TEST_P(CancelPromise, EveryExitOfAWaitUnsubscribes) {
  // A notification that comes after the wait must find nobody.
  run([] {
    auto event = ManualEvent::make();
    auto closed = ManualEvent::make();
    closed->close(nullptr);
    Event* with_closed[] = {event.get(), closed.get()};
    Event* alone[] = {event.get()};

    EXPECT_THROW(wait_any(with_closed), MisuseError) << "one of them can't be started";
    EXPECT_FALSE(event->has_subscribers());
    EXPECT_THROW(wait_any(alone, 1ms), TimeoutError);
    EXPECT_FALSE(event->has_subscribers());
    auto task = spawn([&] { wait_for(*event); });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_FALSE(event->has_subscribers());
    EXPECT_EQ(event->starts, event->stops);
    event->fire();
  });
}

// CA-05
TEST_P(CancelPromise, SharedEventIsStoppedOncePerWaiter) {
  // The sibling of a cancelled waiter stays served.
  run([] {
    auto event = ManualEvent::make();
    bool sibling_woke = false;
    auto leaving = spawn([&] { wait_for(*event); });
    auto sibling = spawn([&] {
      wait_for(*event);
      sibling_woke = true;
    });
    yield();
    leaving.cancel();
    leaving.cancel();
    EXPECT_THROW(await(leaving), Cancelled);
    EXPECT_TRUE(event->is_active()) << "the sibling still needs it";
    EXPECT_EQ(event->stops, 0);
    event->fire();
    await(sibling);
    EXPECT_TRUE(sibling_woke);
    EXPECT_EQ(event->starts, 1);
    EXPECT_EQ(event->stops, 1);
  });
}

}  // namespace
}  // namespace trueasync::test
