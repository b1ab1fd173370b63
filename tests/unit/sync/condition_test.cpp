#include "trueasync/sync/condition.hpp"

#include <gtest/gtest.h>

#include "support/reactor_test.hpp"
#include "trueasync/sync/latch.hpp"
#include "trueasync/testing.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class ConditionTest : public test::ReactorTest {};
class LatchTest : public test::ReactorTest {};

TEST_P(ConditionTest, NotifyWakesOneOrAllInFifoOrder) {
  run([&] {
    Condition condition;
    std::vector<int> order;
    std::vector<Task<void>> all;
    for (int i = 0; i < 4; ++i) {
      all.push_back(spawn([&, i] {
        condition.wait();
        order.push_back(i);
      }));
    }
    yield();
    condition.notify_one();
    yield();
    EXPECT_EQ(order, (std::vector<int>{0}));
    condition.notify_all();
    for (auto& task : all) await(task);
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
    condition.notify_one();  // without waiters, a notification is lost
    EXPECT_THROW(condition.wait(1ms), TimeoutError);
  });
}

// R1 CXL-05
TEST_P(ConditionTest, NotifyOfCancelledWaiterGoesToNextWaiter) {
  run([&] {
    Condition condition;
    bool notified = false;
    auto cancelled_waiter = spawn([&] { condition.wait(); });
    auto next = spawn([&] {
      condition.wait();
      notified = true;
    });
    yield();
    condition.notify_one();
    cancelled_waiter.cancel();
    await(next);
    EXPECT_TRUE(notified);
  });
}

TEST_P(ConditionTest, WaitUnlocksMutexAndLocksItAgain) {
  run([&] {
    Mutex mutex;
    Condition condition;
    bool ready = false;
    auto consumer = spawn([&] {
      auto guard = mutex.guard();
      condition.wait(guard, [&] { return ready; });
      EXPECT_TRUE(guard.owns_lock());
    });
    yield();
    {
      auto guard = mutex.guard();
      ready = true;
      condition.notify_one();
      yield();  // the consumer waits for the mutex
    }
    await(consumer);
    EXPECT_FALSE(mutex.is_locked());
  });
}

TEST_P(ConditionTest, CancelledWaitThrowsWithMutexLocked) {
  run([&] {
    Mutex mutex;
    Condition condition;
    bool held = false;
    auto waiter = spawn([&] {
      auto guard = mutex.guard();
      try {
        condition.wait(guard);
      } catch (const Cancelled&) {
        held = guard.owns_lock();
        throw;
      }
    });
    yield();
    auto guard = mutex.guard();
    waiter.cancel();
    yield();
    EXPECT_FALSE(held);  // the cancelled waiter waits for the mutex
    guard.unlock();
    yield();
    EXPECT_TRUE(held);
    EXPECT_FALSE(mutex.is_locked());
  });
}

// DLK-01
TEST_P(ConditionTest, DeadlockWhileRelockingThrows) {
  run([&] {
    Mutex mutex;
    Condition condition;
    Condition never;
    auto guard = mutex.guard();
    auto holder = spawn([&] {
      auto held = mutex.guard();
      never.wait();
    });
    EXPECT_THROW(condition.wait(guard, 1ms), DeadlockError);
    EXPECT_FALSE(guard.owns_lock());
    holder.cancel();
    yield();
    EXPECT_FALSE(mutex.is_locked());
  });
}

// CXL-04
TEST_P(ConditionTest, WaitEndedByTokenThrowsWithMutexLocked) {
  run([&] {
    Mutex mutex;
    Condition condition;
    EXPECT_THROW(condition.wait(timeout(1ms)), OperationCancelled);
    EXPECT_THROW(condition.wait([] { return false; }, timeout(0ms)), OperationCancelled);
    auto guard = mutex.guard();
    EXPECT_THROW(condition.wait(guard, timeout(1ms)), OperationCancelled);
    EXPECT_TRUE(guard.owns_lock());
    EXPECT_THROW(condition.wait(
                     guard, [] { return false; }, timeout(1ms)),
                 OperationCancelled);
    EXPECT_TRUE(guard.owns_lock());
  });
}

// PO-28
TEST(Condition, TimeoutCoversAllWakeUpsOfOneWait) {
  testing::Simulation simulation;
  simulation.run([&] {
    Mutex mutex;
    Condition condition;
    auto noise = spawn([&] {
      for (int i = 0; i < 50; ++i) {
        delay(1ms);
        condition.notify_all();
      }
    });
    EXPECT_THROW(condition.wait([] { return false; }, 5ms), TimeoutError);
    EXPECT_EQ(simulation.now(), 5ms);
    auto guard = mutex.guard();
    EXPECT_THROW(condition.wait(
                     guard, [] { return false; }, 5ms),
                 TimeoutError);
    EXPECT_EQ(simulation.now(), 10ms);
    condition.wait([] { return true; }, 0ms);
    await(noise);
  });
}

TEST_P(LatchTest, OpensOnceForAllWaiters) {
  run([&] {
    Latch latch(3);
    EXPECT_THROW(latch.wait(1ms), TimeoutError);
    int passed = 0;
    std::vector<Task<void>> all;
    for (int i = 0; i < 3; ++i) {
      all.push_back(spawn([&] {
        latch.arrive_and_wait();
        ++passed;
      }));
    }
    latch.wait();
    for (auto& task : all) await(task);
    EXPECT_EQ(passed, 3);
    EXPECT_TRUE(latch.is_open());
    EXPECT_THROW(latch.count_down(), MisuseError);
  });
}

TEST_P(LatchTest, WaitGroupWaitsForFinishedAndCancelledMembers) {
  run([&] {
    WaitGroup group;
    group.wait();  // returns immediately without members
    for (int round = 0; round < 2; ++round) {
      auto finished = spawn([member = group.member()] { delay(1ms); });
      auto cancelled = spawn([member = group.member()] { delay(1h); });
      yield();
      cancelled.cancel();
      EXPECT_EQ(group.count(), 2u);
      group.wait();
      EXPECT_EQ(group.count(), 0u);
    }
    group.add();
    EXPECT_THROW(group.wait(timeout(1ms)), OperationCancelled);
    group.done();
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(ConditionTest);
TRUEASYNC_TEST_ON_ALL_REACTORS(LatchTest);

}  // namespace
}  // namespace trueasync
