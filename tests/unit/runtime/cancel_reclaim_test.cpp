// Cancellation of a waiter that has a grant: the grant is reclaimed for the next waiter. Every wait ends its
// subscriptions exactly once.
#include <gtest/gtest.h>

#include "handoff_lock.hpp"
#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class CancelReclaim : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CancelReclaim);

// R1 CXL-05
TEST_P(CancelReclaim, GrantOfCancelledWaiterGoesToNextWaiter) {
  run([] {
    HandoffLock lock;
    lock.acquire();
    bool first_acquired = false, second_acquired = false;
    auto first = spawn([&] {
      lock.acquire();
      first_acquired = true;
      lock.release();
    });
    auto second = spawn([&] {
      lock.acquire();
      second_acquired = true;
      lock.release();
    });
    yield();
    EXPECT_EQ(lock.waiters(), 2u);
    lock.release();  // grants the lock to `first`
    first.cancel();  // before `first` runs
    EXPECT_THROW(await(first), Cancelled);
    await(second);
    EXPECT_FALSE(first_acquired);
    EXPECT_TRUE(second_acquired);
    EXPECT_TRUE(lock.is_free());
  });
}

// R1 CXL-05
TEST_P(CancelReclaim, GrantOfLastCancelledWaiterIsReleased) {
  run([] {
    HandoffLock lock;
    lock.acquire();
    auto only = spawn([&] { lock.acquire(); });
    yield();
    lock.release();
    only.cancel();
    EXPECT_THROW(await(only), Cancelled);
    EXPECT_TRUE(lock.is_free());
    EXPECT_EQ(lock.waiters(), 0u);
  });
}

// R1 CXL-05
TEST_P(CancelReclaim, GrantPassesThroughSeveralCancelledWaiters) {
  run([] {
    HandoffLock lock;
    lock.acquire();
    std::vector<Task<void>> waiters;
    int acquired = 0;
    for (int i = 0; i < 5; ++i) {
      waiters.push_back(spawn([&] {
        lock.acquire();
        ++acquired;
        lock.release();
      }));
    }
    yield();
    lock.release();
    for (int i = 0; i < 4; ++i) waiters[i].cancel();
    for (int i = 0; i < 4; ++i) EXPECT_THROW(await(waiters[i]), Cancelled);
    await(waiters[4]);
    EXPECT_EQ(acquired, 1);
    EXPECT_TRUE(lock.is_free());
  });
}

// R1 CXL-05 CA-01
TEST_P(CancelReclaim, GrantThatCannotBeReclaimedIsDelivered) {
  // The wait returns the result. The cancellation is delivered at the next suspension.
  run([] {
    auto event = ManualEvent::make();
    event->can_reclaim = false;
    bool delivered = false;
    auto task = spawn([&] {
      wait_for(*event);
      delivered = true;
      yield();
      ADD_FAILURE() << "the suspension must throw";
    });
    yield();
    event->fire();
    EXPECT_TRUE(task.cancel());
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_TRUE(delivered);
    EXPECT_EQ(event->reclaims, 1);
  });
}

// R1
TEST_P(CancelReclaim, WaiterWithoutGrantReclaimsNothing) {
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
TEST_P(CancelReclaim, ProtectedWaiterKeepsGrant) {
  run([] {
    HandoffLock lock;
    lock.acquire();
    bool acquired = false;
    auto task = spawn([&] {
      protect([&] {
        lock.acquire();
        acquired = true;
        lock.release();
      });
    });
    yield();
    lock.release();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_TRUE(acquired);
    EXPECT_TRUE(lock.is_free());
  });
}

// CA-04
TEST_P(CancelReclaim, EveryEndOfWaitUnsubscribes) {
  // A notification after the wait must have no subscriber.
  run([] {
    auto event = ManualEvent::make();
    auto closed = ManualEvent::make();
    closed->close(nullptr);
    Event* with_closed[] = {event.get(), closed.get()};
    Event* alone[] = {event.get()};

    EXPECT_THROW(wait_any(with_closed), MisuseError) << "a closed event cannot be started";
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
TEST_P(CancelReclaim, SharedEventIsStoppedByLastWaiter) {
  // The other waiter stays subscribed.
  run([] {
    auto event = ManualEvent::make();
    bool sibling_woken = false;
    auto cancelled = spawn([&] { wait_for(*event); });
    auto sibling = spawn([&] {
      wait_for(*event);
      sibling_woken = true;
    });
    yield();
    cancelled.cancel();
    cancelled.cancel();
    EXPECT_THROW(await(cancelled), Cancelled);
    EXPECT_TRUE(event->is_active()) << "the sibling still waits";
    EXPECT_EQ(event->stops, 0);
    event->fire();
    await(sibling);
    EXPECT_TRUE(sibling_woken);
    EXPECT_EQ(event->starts, 1);
    EXPECT_EQ(event->stops, 1);
  });
}

}  // namespace
}  // namespace trueasync::test
