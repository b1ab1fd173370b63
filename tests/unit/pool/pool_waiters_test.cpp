// Waiters: FIFO order, reservations, timeouts and cancellation.
#include "pool_support.hpp"

namespace trueasync::test {
namespace {

class PoolWaitersTest : public ReactorTest {};

// PO-01 POOL-03 R1
TEST_P(PoolWaitersTest, ReleasedResourceGoesToOldestWaiter) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    std::vector<int> order;
    auto repeated = spawn([&] {
      for (int i = 0; i < 3; ++i) {
        auto lease = pool.acquire();
        order.push_back(0);
        yield();
      }
    });
    auto other = spawn([&] {
      for (int i = 0; i < 2; ++i) {
        auto lease = pool.acquire();
        order.push_back(1);
        yield();
      }
    });
    await(repeated);
    await(other);
    EXPECT_EQ(order, (std::vector<int>{0, 1, 0, 1, 0}));
  });
}

// PO-03
TEST_P(PoolWaitersTest, FifoOrderIsKeptWhenWaitersAreCancelled) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    std::vector<int> order;
    std::vector<Task<void>> waiters;
    for (int i = 0; i < 6; ++i) {
      waiters.push_back(spawn([&, i] {
        auto own_lease = pool.acquire();
        order.push_back(i);
        yield();
      }));
    }
    yield();
    EXPECT_EQ(pool.statistics().waiting, 6u);
    waiters[0].cancel();
    waiters[3].cancel();
    lease.release();
    for (int i : {1, 2, 4, 5}) await(waiters[static_cast<std::size_t>(i)]);
    EXPECT_EQ(order, (std::vector<int>{1, 2, 4, 5}));
    expect_consistent_counts(pool);
    EXPECT_EQ(pool.statistics().waiting, 0u);
  });
}

// PO-02 R1 CXL-05
TEST_P(PoolWaitersTest, ReservationMovesToNextWaiterOnCancel) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    bool granted = false;
    auto cancelled = spawn([&] { (void)pool.acquire(); });
    auto next = spawn([&] {
      auto own_lease = pool.acquire();
      granted = true;
    });
    yield();
    lease.release();
    EXPECT_EQ(pool.statistics().reserved, 1u);
    EXPECT_EQ(pool.idle_count(), 0u);
    cancelled.cancel();  // woken, but has not run yet
    EXPECT_EQ(pool.statistics().reserved, 1u);
    await(next);
    EXPECT_TRUE(granted);
    EXPECT_EQ(pool.idle_count(), 1u);
    expect_consistent_counts(pool);
  });
}

// PO-02 XC-11
TEST_P(PoolWaitersTest, ReservationSurvivesLaterTimeout) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    auto waiter = spawn([&] { return pool.acquire(5ms)->number; });
    yield();
    lease.release();
    delay(0ms);
    EXPECT_EQ(await(waiter), 1);
  });
}

// PO-02
TEST_P(PoolWaitersTest, ReservationSurvivesLaterDeactivation) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    auto waiter = spawn([&] { return pool.acquire()->number; });
    yield();
    lease.release();
    pool.breaker().deactivate();
    EXPECT_EQ(await(waiter), 1);
    EXPECT_EQ(pool.idle_count(), 1u);
    expect_consistent_counts(pool);
  });
}

// PO-02 XC-15
TEST_P(PoolWaitersTest, CreationForCancelledWaiterIsGrantedToNext) {
  run([&] {
    Service service;
    service.create_delay = 2ms;
    Pool<Connection> pool(service.options(1));
    auto cancelled = spawn([&] { (void)pool.acquire(); });
    auto next = spawn([&] { return pool.acquire()->number; });
    yield();
    cancelled.cancel();
    EXPECT_EQ(await(next), 1);
    EXPECT_EQ(service.created, 1);
  });
}

// PO-04
TEST_P(PoolWaitersTest, SpareResourceIsAcquiredWithoutWaiting) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(3, 2));
    auto first = pool.acquire();
    auto second = pool.acquire();
    auto waiter = spawn([&] {
      auto own_lease = pool.acquire();
      yield_times(2);
    });
    yield_times(3);  // the third resource is created for it
    auto another = spawn([&] { (void)pool.acquire(); });
    yield();
    first.release();   // reserved for `another`, which has not run yet
    second.release();  // no waiter is left
    EXPECT_TRUE(pool.try_acquire());
    const auto before = scheduler().statistics().direct_switches;
    auto own_lease = pool.acquire();
    EXPECT_EQ(scheduler().statistics().direct_switches, before);
    own_lease.release();
    await(waiter);
    await(another);
    expect_consistent_counts(pool);
  });
}

// POOL-10 PO-20
TEST_P(PoolWaitersTest, ExpiredTimeoutIsTimeoutErrorNotPoolError) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    try {
      (void)pool.acquire(2ms);
      ADD_FAILURE();
    } catch (const TimeoutError& error) {
      EXPECT_EQ(dynamic_cast<const PoolTimeoutError*>(&error)->diagnosis().holders.size(), 1u);
    }
    EXPECT_THROW((void)pool.acquire(timeout(1ms)), OperationCancelled);
    EXPECT_THROW((void)pool.acquire(0ms), PoolTimeoutError);
    EXPECT_EQ(pool.statistics().waiting, 0u);
    EXPECT_EQ(pool.statistics().timeouts, 2u);
  });
}

// POOL-10
TEST_P(PoolWaitersTest, ScopeDeadlineEndsAcquire) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    Scope scope = Scope::inherit();
    scope.set_timeout(2ms);
    auto waiter = scope.spawn([&] { (void)pool.acquire(1h); });
    EXPECT_THROW(await(waiter), DeadlineError);
    EXPECT_EQ(pool.statistics().waiting, 0u);
  });
}

TEST_P(PoolWaitersTest, FullWaitQueueRejectsAcquire) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.max_waiting = 2;
    Pool<Connection> pool(std::move(options));
    auto lease = pool.acquire();
    auto first = spawn([&] { (void)pool.acquire(); });
    auto second = spawn([&] { (void)pool.acquire(); });
    yield();
    EXPECT_THROW((void)pool.acquire(), PoolOverloadedError);
    lease.release();
    await(first);
    await(second);
    EXPECT_EQ(pool.acquire()->number, 1);
  });
}

TEST_P(PoolWaitersTest, CancelledCoroutineAcquiresIdleResourceButDoesNotWait) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    bool is_cancelled = false;
    auto task = spawn([&] {
      current_coroutine().cancel();
      auto lease = pool.acquire();
      try {
        (void)pool.acquire();
      } catch (const Cancelled&) {
        is_cancelled = true;
        throw;
      }
    });
    yield();
    EXPECT_TRUE(is_cancelled);
    EXPECT_EQ(pool.statistics().waiting, 0u);
    EXPECT_EQ(pool.idle_count(), 1u);
  });
}

TEST_P(PoolWaitersTest, ManyWaitersAreGrantedInFifoOrder) {
  run([&] {
#if defined(__SANITIZE_THREAD__)
    constexpr int kMany = 5000;  // ThreadSanitizer supports no more fibers
#else
    constexpr int kMany = 20000;
#endif
    Service service;
    Pool<Connection> pool(service.options(2, 2));
    std::vector<int> order;
    order.reserve(kMany);
    auto first = pool.acquire();
    auto second = pool.acquire();
    for (int i = 0; i < kMany; ++i) {
      spawn({.stack_size = 32 * 1024}, [&, i] {
        auto lease = pool.acquire();
        order.push_back(i);
      });
    }
    yield();
    EXPECT_EQ(pool.statistics().waiting, static_cast<std::size_t>(kMany));
    const auto before = scheduler().statistics();
    first.release();
    second.release();
    while (order.size() < kMany) yield();
    for (int i = 0; i < kMany; ++i) ASSERT_EQ(order[static_cast<std::size_t>(i)], i);
    // Each waiter is woken once, with its resource.
    EXPECT_LE(scheduler().statistics().direct_switches - before.direct_switches, 2u * kMany + 100);
  });
}

TEST_P(PoolWaitersTest, ClosedWaitsLeaveNoTimers) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    std::vector<Task<void>> waiters;
    for (int i = 0; i < 10; ++i) {
      waiters.push_back(spawn([&, i] {
        try {
          if (i % 2 == 0) (void)pool.acquire();
          if (i % 2 == 1) (void)pool.acquire(1h);
        } catch (const PoolClosedError&) {
        }
      }));
    }
    yield();
    pool.close();
    for (auto& waiter : waiters) await(waiter);
    EXPECT_EQ(scheduler().reactor().timers().size(), 0u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolWaitersTest);

}  // namespace
}  // namespace trueasync::test
