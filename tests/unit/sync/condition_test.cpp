#include "trueasync/condition.hpp"

#include <gtest/gtest.h>

#include "support/reactor_test.hpp"
#include "trueasync/latch.hpp"
#include "trueasync/testing.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class ConditionTest : public test::ReactorTest {};
class LatchTest : public test::ReactorTest {};

TEST_P(ConditionTest, WakesOneOrAllInOrder) {
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
    condition.notify_one();  // nobody waits: nothing is kept
    EXPECT_THROW(condition.wait(1ms), TimeoutError);
  });
}

TEST_P(ConditionTest, ANotifyForOneWhoLeavesGoesToTheNext) {
  // R1 CXL-05
  run([&] {
    Condition condition;
    bool told = false;
    auto leaver = spawn([&] { condition.wait(); });
    auto next = spawn([&] {
      condition.wait();
      told = true;
    });
    yield();
    condition.notify_one();
    leaver.cancel();
    await(next);
    EXPECT_TRUE(told);
  });
}

TEST_P(ConditionTest, TheMutexIsFreeWhileWaitingAndHeldAfterwards) {
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

TEST_P(ConditionTest, ACancelledWaiterHoldsTheMutexAgainWhenItLeaves) {
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
    EXPECT_FALSE(held);  // it waits for the mutex, although it is cancelled
    guard.unlock();
    yield();
    EXPECT_TRUE(held);
    EXPECT_FALSE(mutex.is_locked());
  });
}

TEST_P(ConditionTest, ADeadlockWhileItWaitsForTheMutexAgainIsAnError) {
  // DLK-01
  run([&] {
    Mutex mutex;
    Condition condition;
    Condition never;
    auto guard = mutex.guard();
    auto thief = spawn([&] {
      auto held = mutex.guard();
      never.wait();
    });
    EXPECT_THROW(condition.wait(guard, 1ms), DeadlockError);  // not the end of the program
    EXPECT_FALSE(guard.owns_lock());
    thief.cancel();
    yield();
    EXPECT_FALSE(mutex.is_locked());
  });
}

TEST_P(ConditionTest, ATokenEndsAWaitAndTheMutexIsHeldAfterwards) {
  // CXL-04
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

TEST(Condition, ALimitIsForTheWholeWaitHoweverOftenItIsWoken) {
  // PO-28
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

TEST_P(LatchTest, OpensOnceForEverybody) {
  run([&] {
    Latch latch(3);
    EXPECT_THROW(latch.wait(1ms), TimeoutError);
    int through = 0;
    std::vector<Task<void>> all;
    for (int i = 0; i < 3; ++i) {
      all.push_back(spawn([&] {
        latch.arrive_and_wait();
        ++through;
      }));
    }
    latch.wait();
    for (auto& task : all) await(task);
    EXPECT_EQ(through, 3);
    EXPECT_TRUE(latch.is_open());
    EXPECT_THROW(latch.count_down(), MisuseError);
  });
}

TEST_P(LatchTest, AWaitGroupWaitsForItsMembersHoweverTheyEnd) {
  run([&] {
    WaitGroup group;
    group.wait();  // nobody there
    for (int round = 0; round < 2; ++round) {
      auto good = spawn([member = group.member()] { delay(1ms); });
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
