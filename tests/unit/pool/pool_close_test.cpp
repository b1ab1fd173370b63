// Closing, draining, pausing, resizing, and leases that outlive their pool.
#include <thread>

#include "pool_support.hpp"

#include "trueasync/composite_error.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolCloseTest : public ReactorTest {};

TEST_P(PoolCloseTest, EndsWaitsAndIdleOnesAndLeavesWhatIsInUse) {
  // POOL-08 POOL-02
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(2, 2));
    auto lease = pool.acquire();
    auto other = pool.acquire();
    auto waiter = spawn([&] { EXPECT_THROW((void)pool.acquire(), PoolClosedError); });
    auto patient = spawn([&] { EXPECT_THROW((void)pool.acquire(1h), PoolClosedError); });
    yield();
    auto late = spawn([&] { EXPECT_THROW((void)pool.acquire(), PoolClosedError); });
    pool.close();
    pool.close();
    EXPECT_TRUE(pool.is_closed());
    await(waiter);
    await(patient);
    await(late);
    EXPECT_EQ(pool.count(), 2u);
    other.release();
    EXPECT_THROW((void)pool.acquire(), PoolClosedError);
    EXPECT_THROW((void)pool.try_acquire(), PoolClosedError);
    EXPECT_EQ(pool.count(), 1u);
    EXPECT_EQ(lease->number, 2);
    lease = {};
    EXPECT_EQ(pool.count(), 0u);
    EXPECT_EQ(service.destroyed, (std::vector<int>{1, 2}));
    expect_balance(pool);
    Pool<Thing> idle(service.options(2, 2));
    idle.close();
    EXPECT_EQ(service.destroyed.size(), 4u);
  });
}

TEST_P(PoolCloseTest, AnOwnerWhoMayNotWaitInTheDestructorWaitsBefore) {
  run([&] {
    Service service;
    auto options = service.options(2);
    auto make = options.factory;
    options.factory = [make]() mutable {
      delay(1ms);
      return make();
    };
    Pool<Thing> pool(std::move(options));
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

TEST_P(PoolCloseTest, EveryDestructorIsCalledAndNoErrorIsLost) {
  // PO-12
  run([&] {
    Service service;
    auto options = service.options(3, 3);
    options.destructor = [&](Thing& thing) {
      service.destroyed.push_back(thing.number);
      if (thing.number != 2) throw std::runtime_error("thing " + std::to_string(thing.number));
    };
    Pool<Thing> pool(std::move(options));
    try {
      pool.close();
      ADD_FAILURE();
    } catch (const CompositeError& error) {
      EXPECT_EQ(error.errors().size(), 2u);
      EXPECT_NE(std::string(error.what()).find("thing 3"), std::string::npos);
    }
    EXPECT_EQ(service.destroyed.size(), 3u);
    EXPECT_EQ(pool.count(), 0u);
  });
}

TEST_P(PoolCloseTest, LeasesMayOutliveTheirPool) {
  // POOL-08 PO-05
  run([&] {
    Service service;
    Lease<Thing> first;
    Lease<Thing> second;
    {
      Pool<Thing> pool(service.options(2, 2));
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

TEST_P(PoolCloseTest, APoolAndItsLeasesMayOutliveTheRuntime) {
  Service service;
  std::optional<Pool<Thing>> pool;
  Lease<Thing> lease;
  {
    auto runtime = make_runtime(GetParam());
    runtime->run([&] {
      auto options = service.options(2, 2);
      options.healthcheck = [](Thing&) { return true; };
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

TEST_P(PoolCloseTest, DrainingServesWhoWaitsAndLetsNobodyElseIn) {
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(1, 1));
    auto lease = pool.acquire();
    int served = 0;
    auto waiter = spawn([&] {
      auto mine = pool.acquire();
      yield();
      ++served;
    });
    yield();
    auto drainer = spawn([&] { return pool.drain(); });
    yield();
    EXPECT_THROW((void)pool.acquire(), PoolClosedError);
    EXPECT_FALSE(pool.is_closed());
    lease.release();
    EXPECT_EQ(await(drainer), 0u);
    EXPECT_EQ(served, 1);
    EXPECT_TRUE(pool.is_closed());
    EXPECT_EQ(service.destroyed.size(), 1u);
    await(waiter);
  });
}

TEST_P(PoolCloseTest, DrainingEndsAtItsLimit) {
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(2, 2));
    auto lease = pool.acquire();
    EXPECT_EQ(pool.drain(2ms), 1u);
    EXPECT_TRUE(pool.is_closed());
    lease.release();
    EXPECT_EQ(service.destroyed.size(), 2u);
    Pool<Thing> idle(service.options(2, 2));
    EXPECT_EQ(idle.drain(0ms), 0u);
  });
}

TEST_P(PoolCloseTest, ACancelledDrainHasNotHappened) {
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(2, 1));
    auto lease = pool.acquire();
    auto drainer = spawn([&] { pool.drain(); });
    yield();
    drainer.cancel();
    yield();
    EXPECT_FALSE(pool.is_closed());
    EXPECT_EQ(pool.acquire()->number, 2);
  });
}

TEST_P(PoolCloseTest, WhileItIsPausedNobodyIsServed) {
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(2, 1));
    auto lease = pool.acquire();
    pool.pause();
    EXPECT_TRUE(pool.is_paused());
    int served = 0;
    auto first = spawn([&] {
      auto mine = pool.acquire();
      EXPECT_EQ(served++, 0);
    });
    auto second = spawn([&] {
      auto mine = pool.acquire(1h);
      EXPECT_EQ(served++, 1);
    });
    yield_times(3);
    lease.release();
    yield_times(3);
    EXPECT_EQ(served, 0);
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_EQ(service.made, 1);
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
    EXPECT_EQ(served, 2);
    expect_balance(pool);
  });
}

TEST_P(PoolCloseTest, GrowsAndShrinksWhileItIsUsed) {
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(2, 1));
    std::vector<Lease<Thing>> leases;
    for (int i = 0; i < 2; ++i) leases.push_back(pool.acquire());
    auto waiter = spawn([&] {
      auto mine = pool.acquire();
      delay(1ms);
    });
    yield_times(3);
    EXPECT_EQ(pool.statistics().waiting, 1u);
    EXPECT_THROW(pool.resize(3, 2), MisuseError);
    EXPECT_THROW(pool.resize(0, 0), MisuseError);
    pool.resize(1, 4);  // at once, for who waits
    await(waiter);
    leases.push_back(pool.acquire());
    leases.push_back(pool.acquire());
    EXPECT_EQ(pool.count(), 4u);
    leases.pop_back();
    pool.resize(0, 2);  // the idle one at once, the others when they come back
    EXPECT_EQ(pool.count(), 3u);
    leases.pop_back();
    EXPECT_EQ(pool.count(), 2u);
    leases.pop_back();
    EXPECT_EQ(pool.count(), 2u);
    EXPECT_EQ(pool.idle_count(), 1u);
    pool.resize(2, 2);
    EXPECT_EQ(pool.statistics().min, 2u);
    leases.clear();
    expect_balance(pool);
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

TEST_P(PoolCloseTest, WhatIsPromisedToOneWhoLeavesAClosedPoolIsDestroyed) {
  // POOL-08 PO-02
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(1, 1));
    auto lease = pool.acquire();
    auto waiter = spawn([&] { (void)pool.acquire(); });
    yield();
    lease.release();
    pool.close();
    waiter.cancel();  // in the cancel nobody may suspend: a coroutine of the pool's does it
    yield_times(2);
    EXPECT_EQ(pool.count(), 0u);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
  });
}

TEST_P(PoolCloseTest, BelongsToItsRuntime) {
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(1, 1));
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
