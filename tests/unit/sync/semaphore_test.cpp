#include "trueasync/sync/semaphore.hpp"

#include <gtest/gtest.h>

#include "support/reactor_test.hpp"
#include "trueasync/sync/mutex.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class SemaphoreTest : public test::ReactorTest {};
class MutexTest : public test::ReactorTest {};

TEST_P(SemaphoreTest, AcquireOfFreePermitDoesNotSwitch) {
  run([&] {
    Semaphore semaphore(1);
    const auto before = scheduler().statistics();
    for (int i = 0; i < 100; ++i) {
      semaphore.acquire();
      semaphore.release();
    }
    EXPECT_EQ(scheduler().statistics().direct_switches, before.direct_switches);
    EXPECT_EQ(semaphore.available(), 1u);
  });
}

// CH-10 R1
TEST_P(SemaphoreTest, GrantsPermitsInFifoOrder) {
  run([&] {
    Semaphore semaphore(0);
    std::vector<int> order;
    std::vector<Task<void>> waiters;
    for (int i = 0; i < 4; ++i) {
      waiters.push_back(spawn([&, i] {
        semaphore.acquire();
        order.push_back(i);
      }));
    }
    yield();
    waiters[1].cancel();  // the order of the other waiters does not change
    semaphore.release();
    EXPECT_FALSE(semaphore.try_acquire());  // granted to the first waiter
    semaphore.release();
    semaphore.release();
    for (int i : {0, 2, 3}) await(waiters[static_cast<std::size_t>(i)]);
    EXPECT_EQ(order, (std::vector<int>{0, 2, 3}));
  });
}

// R1 CXL-05
TEST_P(SemaphoreTest, PermitOfCancelledWaiterGoesToNextWaiter) {
  run([&] {
    Semaphore semaphore(0);
    int granted = 0;
    auto first = spawn([&] { semaphore.acquire(); });
    auto second = spawn([&] {
      semaphore.acquire();
      granted = 2;
    });
    yield();
    semaphore.release();
    first.cancel();  // granted the permit, has not run
    await(second);
    EXPECT_EQ(granted, 2);
    EXPECT_TRUE(first.is_cancelled());
    EXPECT_EQ(semaphore.available(), 0u);

    auto last = spawn([&] { semaphore.acquire(); });
    yield();
    semaphore.release();
    last.cancel();
    yield();
    EXPECT_EQ(semaphore.available(), 1u);  // no other waiter
  });
}

// CXL-04 CH-19
TEST_P(SemaphoreTest, TimeoutAndTokenEndAcquire) {
  run([&] {
    Semaphore semaphore(0);
    EXPECT_THROW(semaphore.acquire(1ms), TimeoutError);
    EXPECT_THROW(semaphore.acquire(timeout(1ms)), OperationCancelled);
    EXPECT_THROW(semaphore.acquire(timeout(0ms)), OperationCancelled);
    semaphore.release();
    semaphore.acquire(0ms);
    EXPECT_FALSE(semaphore.try_acquire());
  });
}

TEST_P(SemaphoreTest, PermitIsReleasedByDestructor) {
  run([&] {
    Semaphore semaphore(1);
    {
      auto permit = semaphore.permit();
      EXPECT_TRUE(permit);
      EXPECT_EQ(semaphore.available(), 0u);
      Semaphore::Permit moved = std::move(permit);
    }
    EXPECT_EQ(semaphore.available(), 1u);
  });
}

TEST_P(SemaphoreTest, AcquireInCancelledCoroutineThrowsWithoutWaiting) {
  run([&] {
    Semaphore semaphore(0);
    bool thrown = false;
    auto task = spawn([&] {
      current_coroutine().cancel();
      try {
        semaphore.acquire();
      } catch (const Cancelled&) {
        thrown = true;
        throw;
      }
    });
    yield();
    EXPECT_TRUE(thrown);
    semaphore.release();
    EXPECT_EQ(semaphore.available(), 1u);
  });
}

TEST_P(MutexTest, ExcludesAcrossSuspensionsInFifoOrder) {
  run([&] {
    Mutex mutex;
    std::vector<int> order;
    std::vector<Task<void>> all;
    for (int i = 0; i < 5; ++i) {
      all.push_back(spawn([&, i] {
        auto guard = mutex.guard();
        order.push_back(i);
        yield();
        order.push_back(i);
      }));
    }
    for (auto& task : all) await(task);
    EXPECT_EQ(order, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}));
    EXPECT_FALSE(mutex.is_locked());
  });
}

// R1
TEST_P(MutexTest, UnlockGrantsMutexToOldestWaiter) {
  run([&] {
    Mutex mutex;
    mutex.lock();
    auto waiter = spawn([&] { std::lock_guard guard(mutex); });
    yield();
    mutex.unlock();
    EXPECT_FALSE(mutex.try_lock());
    await(waiter);
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
  });
}

// R1 CXL-05
TEST_P(MutexTest, GrantOfCancelledWaiterGoesToNextWaiter) {
  run([&] {
    Mutex mutex;
    mutex.lock();
    auto cancelled_waiter = spawn([&] { std::lock_guard guard(mutex); });
    auto next = spawn([&] { std::lock_guard guard(mutex); });
    yield();
    mutex.unlock();
    cancelled_waiter.cancel();
    await(next);
    EXPECT_FALSE(mutex.is_locked());
  });
}

TEST_P(MutexTest, DeadlockReportNamesMutex) {
  EXPECT_THROW(run([&] {
                 Mutex mutex;
                 mutex.lock();
                 try {
                   mutex.lock();
                 } catch (const DeadlockError& error) {
                   EXPECT_NE(std::string(error.what()).find("waits for a mutex"), std::string::npos);
                   throw;
                 }
               }),
               DeadlockError);
}

// DLK-01
TEST_P(MutexTest, DeadlockReportShowsWaitCycle) {
  run([&] {
    Mutex first;
    Mutex second;
    auto lock_both = [](Mutex& outer, Mutex& inner) {
      auto outer_guard = outer.guard();
      yield();
      auto inner_guard = inner.guard();
    };
    auto a = spawn({.name = "a"}, [&] { lock_both(first, second); });
    auto b = spawn({.name = "b"}, [&] { lock_both(second, first); });
    try {
      await(a);
      ADD_FAILURE();
    } catch (const DeadlockError& error) {
      const std::string text = error.what();
      const auto cycle = text.find("wait cycle: ");
      ASSERT_NE(cycle, std::string::npos) << text;
      EXPECT_NE(text.find("\"a\" → ", cycle), std::string::npos) << text;
      EXPECT_NE(text.find("\"b\"", cycle), std::string::npos) << text;
    }
    b.cancel();  // releases its mutex
    await(a);
  });
}

TEST_P(MutexTest, FinishedHolderIsNotInDeadlockReport) {
  run([&] {
    Mutex mutex;
    await(spawn([&] { mutex.lock(); }));
    try {
      mutex.lock();
      ADD_FAILURE();
    } catch (const DeadlockError& error) {
      EXPECT_EQ(std::string(error.what()).find("wait cycle"), std::string::npos);
    }
    mutex.unlock();
  });
}

TEST(MutexDeathTest, UnlockOfUnlockedMutexAborts) {
  EXPECT_DEATH(Mutex().unlock(), "unlock of a mutex that is not locked");
}

TRUEASYNC_TEST_ON_ALL_REACTORS(SemaphoreTest);
TRUEASYNC_TEST_ON_ALL_REACTORS(MutexTest);

}  // namespace
}  // namespace trueasync
