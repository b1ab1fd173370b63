// Closing, draining, pausing, resizing, and leases that outlive their pool.
#include <thread>

#include "pool_support.hpp"

#include "trueasync/error.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolCloseTest : public ReactorTest {};

// POOL-08 POOL-02
TEST_P(PoolCloseTest, CloseFailsWaitersDestroysIdleKeepsLeases) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(2, 2));
    auto lease = pool.acquire();
    auto other = pool.acquire();
    auto waiter = spawn([&] { EXPECT_THROW((void)pool.acquire(), PoolClosedError); });
    auto with_timeout = spawn([&] { EXPECT_THROW((void)pool.acquire(1h), PoolClosedError); });
    yield();
    auto not_started = spawn([&] { EXPECT_THROW((void)pool.acquire(), PoolClosedError); });
    pool.close();
    pool.close();
    EXPECT_TRUE(pool.is_closed());
    await(waiter);
    await(with_timeout);
    await(not_started);
    EXPECT_EQ(pool.count(), 2u);
    other.release();
    EXPECT_THROW((void)pool.acquire(), PoolClosedError);
    EXPECT_THROW((void)pool.try_acquire(), PoolClosedError);
    EXPECT_EQ(pool.count(), 1u);
    EXPECT_EQ(lease->number, 2);
    lease = {};
    EXPECT_EQ(pool.count(), 0u);
    EXPECT_EQ(service.destroyed, (std::vector<int>{1, 2}));
    expect_consistent_counts(pool);
    Pool<Connection> idle(service.options(2, 2));
    idle.close();
    EXPECT_EQ(service.destroyed.size(), 4u);
  });
}

TEST_P(PoolCloseTest, AwaitBackgroundWorkBeforeDestructor) {
  run([&] {
    Service service;
    auto options = service.options(2);
    auto make = options.factory;
    options.factory = [make]() mutable {
      delay(1ms);
      return make();
    };
    Pool<Connection> pool(std::move(options));
    EXPECT_FALSE(pool.has_background_work());
    EXPECT_FALSE(pool.try_acquire());
    EXPECT_EQ(pool.creating_count(), 1u);
    EXPECT_EQ(pool.count(), 0u);
    EXPECT_TRUE(pool.has_background_work());
    pool.await_background_work();
    EXPECT_FALSE(pool.has_background_work());
    EXPECT_EQ(pool.creating_count(), 0u);
    EXPECT_EQ(pool.idle_count(), 1u);
  });
}

// PO-12
TEST_P(PoolCloseTest, CloseCallsEveryDestructorAndCombinesErrors) {
  run([&] {
    Service service;
    auto options = service.options(3, 3);
    options.destructor = [&](Connection& connection) {
      service.destroyed.push_back(connection.number);
      if (connection.number != 2) throw std::runtime_error("connection " + std::to_string(connection.number));
    };
    Pool<Connection> pool(std::move(options));
    try {
      pool.close();
      ADD_FAILURE();
    } catch (const CompositeError& error) {
      EXPECT_EQ(error.errors().size(), 2u);
      EXPECT_NE(std::string(error.what()).find("connection 3"), std::string::npos);
    }
    EXPECT_EQ(service.destroyed.size(), 3u);
    EXPECT_EQ(pool.count(), 0u);
  });
}

// POOL-08 PO-05
TEST_P(PoolCloseTest, LeasesOutlivePool) {
  run([&] {
    Service service;
    Lease<Connection> first;
    Lease<Connection> second;
    {
      Pool<Connection> pool(service.options(2, 2));
      first = pool.acquire();
      second = pool.acquire();
    }
    EXPECT_EQ(first->number + second->number, 3);
    first.release();
    EXPECT_EQ(service.destroyed.size(), 1u);
    second = {};
    EXPECT_EQ(service.destroyed.size(), 2u);
  });
}

TEST_P(PoolCloseTest, PoolAndLeasesOutliveRuntime) {
  Service service;
  std::optional<Pool<Connection>> pool;
  Lease<Connection> lease;
  {
    auto runtime = make_runtime(GetParam());
    runtime->run([&] {
      auto options = service.options(2, 2);
      options.healthcheck = [](Connection&) { return true; };
      options.healthcheck_interval = 1h;
      pool.emplace(std::move(options));
      lease = pool->acquire();
    });
    EXPECT_THROW((void)pool->acquire(), MisuseError);
  }
  EXPECT_EQ(pool->count(), 2u);
  pool->close();
  EXPECT_EQ(service.destroyed.size(), 1u);
  pool.reset();
  lease = {};
  EXPECT_EQ(service.destroyed.size(), 2u);
}

TEST_P(PoolCloseTest, DrainGrantsToWaitersAndRejectsNewCallers) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    int granted = 0;
    auto waiter = spawn([&] {
      auto own_lease = pool.acquire();
      yield();
      ++granted;
    });
    yield();
    auto drainer = spawn([&] { return pool.drain(); });
    yield();
    EXPECT_THROW((void)pool.acquire(), PoolClosedError);
    EXPECT_FALSE(pool.is_closed());
    lease.release();
    EXPECT_EQ(await(drainer), 0u);
    EXPECT_EQ(granted, 1);
    EXPECT_TRUE(pool.is_closed());
    EXPECT_EQ(service.destroyed.size(), 1u);
    await(waiter);
  });
}

TEST_P(PoolCloseTest, DrainEndsAtTimeout) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(2, 2));
    auto lease = pool.acquire();
    EXPECT_EQ(pool.drain(2ms), 1u);
    EXPECT_TRUE(pool.is_closed());
    lease.release();
    EXPECT_EQ(service.destroyed.size(), 2u);
    Pool<Connection> idle(service.options(2, 2));
    EXPECT_EQ(idle.drain(0ms), 0u);
  });
}

TEST_P(PoolCloseTest, CancelledDrainHasNoEffect) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(2, 1));
    auto lease = pool.acquire();
    auto drainer = spawn([&] { pool.drain(); });
    yield();
    drainer.cancel();
    yield();
    EXPECT_FALSE(pool.is_closed());
    EXPECT_EQ(pool.acquire()->number, 2);
  });
}

TEST_P(PoolCloseTest, PausedPoolGrantsNoResources) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(2, 1));
    auto lease = pool.acquire();
    pool.pause();
    EXPECT_TRUE(pool.is_paused());
    int granted = 0;
    auto first = spawn([&] {
      auto own_lease = pool.acquire();
      EXPECT_EQ(granted++, 0);
    });
    auto second = spawn([&] {
      auto own_lease = pool.acquire(1h);
      EXPECT_EQ(granted++, 1);
    });
    yield_times(3);
    lease.release();
    yield_times(3);
    EXPECT_EQ(granted, 0);
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_EQ(service.created, 1);
    EXPECT_FALSE(pool.try_acquire());
    try {
      (void)pool.acquire(1ms);
      ADD_FAILURE();
    } catch (const PoolTimeoutError& error) {
      EXPECT_EQ(error.diagnosis().cause, PoolTimeoutCause::paused);
    }
    pool.resume();
    await(first);
    await(second);
    EXPECT_EQ(granted, 2);
    expect_consistent_counts(pool);
  });
}

TEST_P(PoolCloseTest, ResizeGrowsAndShrinksPoolInUse) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(2, 1));
    std::vector<Lease<Connection>> leases;
    for (int i = 0; i < 2; ++i) leases.push_back(pool.acquire());
    auto waiter = spawn([&] {
      auto own_lease = pool.acquire();
      delay(1ms);
    });
    yield_times(3);
    EXPECT_EQ(pool.statistics().waiting, 1u);
    EXPECT_THROW(pool.resize(3, 2), MisuseError);
    EXPECT_THROW(pool.resize(0, 0), MisuseError);
    pool.resize(1, 4);  // creates a resource for the waiter immediately
    await(waiter);
    leases.push_back(pool.acquire());
    leases.push_back(pool.acquire());
    EXPECT_EQ(pool.count(), 4u);
    leases.pop_back();
    pool.resize(0, 2);  // destroys the idle resource now, the leased ones on release
    EXPECT_EQ(pool.count(), 3u);
    leases.pop_back();
    EXPECT_EQ(pool.count(), 2u);
    leases.pop_back();
    EXPECT_EQ(pool.count(), 2u);
    EXPECT_EQ(pool.idle_count(), 1u);
    pool.resize(2, 2);
    EXPECT_EQ(pool.statistics().min, 2u);
    leases.clear();
    expect_consistent_counts(pool);
    EXPECT_EQ(pool.idle_count(), 2u);
    pool.resize(5, 5);
    while (pool.idle_count() < 5) yield();
    EXPECT_THROW(
        {
          pool.close();
          pool.resize(1, 1);
        },
        PoolClosedError);
  });
}

// POOL-08 PO-02
TEST_P(PoolCloseTest, ReservationOfCancelledWaiterIsDestroyedAfterClose) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    auto waiter = spawn([&] { (void)pool.acquire(); });
    yield();
    lease.release();
    pool.close();
    waiter.cancel();  // cancel() must not suspend: a background coroutine destroys the resource
    yield_times(2);
    EXPECT_EQ(pool.count(), 0u);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
  });
}

TEST_P(PoolCloseTest, UseInAnotherRuntimeIsMisuse) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    std::thread other([&] {
      Runtime().run([&] {
        EXPECT_THROW((void)pool.acquire(), MisuseError);
        EXPECT_THROW((void)pool.try_acquire(), MisuseError);
        EXPECT_THROW(detail::Access::core(pool).release_lease(lease.handle()), MisuseError);
        EXPECT_THROW(pool.close(), MisuseError);
      });
    });
    other.join();
    EXPECT_EQ(pool.active_count(), 1u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolCloseTest);

}  // namespace
}  // namespace trueasync::test
