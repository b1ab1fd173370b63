// A pool without contention.
#include "trueasync/pool/pool.hpp"

#include "pool_support.hpp"

namespace trueasync::test {
namespace {

class PoolTest : public ReactorTest {};

// POOL-02 POOL-03 POOL-12
TEST_P(PoolTest, AcquireAndReleaseReuseResource) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(2));
    EXPECT_EQ(pool.count(), 0u);
    {
      auto lease = pool.acquire();
      EXPECT_EQ(lease->number, 1);
      EXPECT_EQ((*lease).number, 1);
      EXPECT_EQ(pool.active_count(), 1u);
      expect_consistent_counts(pool);
    }
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_EQ(pool.acquire()->number, 1);
    const PoolStatistics now = pool.statistics();
    EXPECT_EQ(now.created, 1u);
    EXPECT_EQ(now.acquired, 2u);
    EXPECT_EQ(now.wait.count(), 2u);
    EXPECT_EQ(now.hold.count(), 2u);
    EXPECT_EQ(now.create.count(), 1u);
    expect_consistent_counts(now);
  });
}

// POOL-01
TEST_P(PoolTest, InvalidOptionsAreMisuse) {
  run([&] {
    Service service;
    EXPECT_THROW(Pool<Connection>(PoolOptions<Connection>{}), MisuseError);
    EXPECT_THROW(Pool<Connection>(service.options(0)), MisuseError);
    EXPECT_THROW(Pool<Connection>(service.options(2, 3)), MisuseError);
    EXPECT_THROW(Pool<Connection>(service.options(static_cast<std::size_t>(-1))), MisuseError);
    for (auto time : {&PoolOptions<Connection>::healthcheck_interval, &PoolOptions<Connection>::max_lifetime,
                      &PoolOptions<Connection>::idle_timeout, &PoolOptions<Connection>::create_timeout}) {
      for (auto value : {-1ms, 0ms}) {
        auto options = service.options(1);
        options.*time = value;
        EXPECT_THROW(Pool<Connection>(std::move(options)), MisuseError);
      }
    }
    auto jitter = service.options(1);
    jitter.jitter = 2;
    EXPECT_THROW(Pool<Connection>(std::move(jitter)), MisuseError);
    auto creating = service.options(1);
    creating.max_creating = 0;
    EXPECT_THROW(Pool<Connection>(std::move(creating)), MisuseError);
    EXPECT_EQ(service.created, 0);
  });
  EXPECT_THROW(Pool<int>({.factory = [] { return 1; }}), MisuseError);  // outside a runtime
}

// POOL-01 PO-22
TEST_P(PoolTest, MinResourcesAreCreatedInAdvance) {
  run([&] {
    Service service;
    service.create_delay = 1ms;
    Pool<Connection> pool(service.options(4, 3));
    EXPECT_EQ(pool.idle_count(), 3u);
    EXPECT_EQ(service.created, 3);
  });
}

// PO-22
TEST_P(PoolTest, FailedWarmUpThrowsErrorOfFactory) {
  run([&] {
    Service service;
    service.is_down = true;
    EXPECT_THROW(Pool<Connection>(service.options(4, 2)), std::runtime_error);
    int calls = 0, destroyed = 0;
    PoolOptions<int> second_fails{.factory = [&]() -> int {
                                    if (++calls == 2) throw std::runtime_error("second");
                                    return calls;
                                  },
                                  .destructor = [&](int&) { ++destroyed; },
                                  .min = 2,
                                  .max_creating = 1};
    EXPECT_THROW(Pool<int>(std::move(second_fails)), std::runtime_error);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(destroyed, 1);
  });
}

// PO-22
TEST_P(PoolTest, BackgroundWarmUpRetriesUntilMinExists) {
  run([&] {
    Service service;
    service.is_down = true;
    auto options = service.options(4, 2);
    options.warm_up = WarmUp::background;
    options.backoff_initial = 1ms;
    Pool<Connection> pool(std::move(options));
    while (pool.statistics().failed_creations < 3) delay(1ms);
    EXPECT_EQ(pool.count(), 0u);
    service.is_down = false;
    while (pool.idle_count() < 2) delay(1ms);
    expect_consistent_counts(pool);
  });
}

// POOL-04
TEST_P(PoolTest, TryAcquireNeverSuspends) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(2, 1));
    const auto switches = scheduler().statistics().direct_switches;
    auto first = pool.try_acquire();
    EXPECT_TRUE(first);
    auto none = pool.try_acquire();
    EXPECT_FALSE(none);
    EXPECT_EQ(scheduler().statistics().direct_switches, switches);
    yield_times(3);  // the pool creates a resource
    EXPECT_TRUE(pool.try_acquire());
    EXPECT_EQ(service.created, 2);
    auto second = pool.try_acquire();
    EXPECT_TRUE(second);
    EXPECT_FALSE(pool.try_acquire());
    yield_times(3);
    EXPECT_EQ(service.created, 2);  // max is reached
  });
}

// POOL-04 PO-11
TEST_P(PoolTest, SuspendingInHookOfTryAcquireIsMisuse) {
  run([&] {
    Service service;
    auto options = service.options(2, 1);
    options.before_acquire = [](Connection&) {
      yield();
      return true;
    };
    Pool<Connection> pool(std::move(options));
    EXPECT_THROW((void)pool.try_acquire(), MisuseError);
    yield_times(3);
    expect_consistent_counts(pool);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
  });
}

TEST_P(PoolTest, IdleResourcesAreReusedInConfiguredOrder) {
  run([&] {
    for (const PoolOrder order : {PoolOrder::lifo, PoolOrder::fifo}) {
      Service service;
      auto options = service.options(3, 3);
      options.order = order;
      Pool<Connection> pool(std::move(options));
      std::vector<Lease<Connection>> leases;
      for (int i = 0; i < 3; ++i) leases.push_back(pool.acquire());
      for (int number : {2, 1, 3}) {
        for (auto& lease : leases) {
          if (lease && lease->number == number) lease.release();
        }
      }
      EXPECT_EQ(pool.acquire()->number, order == PoolOrder::lifo ? 3 : 2);
      EXPECT_EQ(pool.acquire()->number, order == PoolOrder::lifo ? 3 : 1);
    }
  });
}

// POOL-06
TEST_P(PoolTest, IdleRingGrows) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(100));
    std::vector<Lease<Connection>> leases;
    for (int i = 0; i < 100; ++i) leases.push_back(pool.acquire());
    leases.clear();
    EXPECT_EQ(pool.idle_count(), 100u);
    EXPECT_EQ(service.created, 100);
    for (int i = 0; i < 100; ++i) leases.push_back(pool.acquire());
    EXPECT_EQ(service.created, 100);
    expect_consistent_counts(pool);
  });
}

// POOL-07
TEST_P(PoolTest, EventFiresWhenResourceBecomesIdle) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    Event* const events[] = {&pool.event()};
    wait_any(events);  // a resource is idle: does not suspend
    auto lease = pool.acquire();
    EXPECT_THROW(wait_any(events, 1ms), TimeoutError);
    int woken = 0;
    auto watcher = spawn([&] {
      Event* const same[] = {&pool.event()};
      wait_any(same);
      ++woken;
      EXPECT_TRUE(pool.try_acquire());
    });
    yield();
    lease.release();
    await(watcher);
    EXPECT_EQ(woken, 1);
    pool.close();
    EXPECT_THROW(wait_any(events), PoolClosedError);
  });
}

// POOL-09
TEST_P(PoolTest, FunctionPointersAreCalledDirectly) {
  struct Calls {
    int objects[2] = {};
    int created = 0;
    int checked = 0;
    int destroyed = 0;
    bool is_deleted = false;
  } calls;
  run([&] {
    detail::PoolConfig config;
    config.options.factory = [](void* user) -> void* {
      auto& own = *static_cast<Calls*>(user);
      return &own.objects[own.created++];
    };
    config.options.destructor = [](void*, void* user) { ++static_cast<Calls*>(user)->destroyed; };
    config.options.before_acquire = [](void* resource, void* user) {
      ++static_cast<Calls*>(user)->checked;
      return resource != nullptr;
    };
    config.options.max = 2;
    config.user = detail::PoolHookContext(&calls, [](void* user) { static_cast<Calls*>(user)->is_deleted = true; });
    auto pool = detail::ResourcePool::make(std::move(config), SourceLocation::current());
    const detail::LeaseHandle first = pool->acquire({}, SourceLocation::current());
    const detail::LeaseHandle second = pool->acquire({}, SourceLocation::current());
    EXPECT_EQ(first.resource, &calls.objects[0]);
    EXPECT_EQ(pool->find(&calls.objects[1]).generation, second.generation);
    pool->release_lease(first);
    EXPECT_FALSE(pool->find(&calls.objects[0]));
    EXPECT_FALSE(pool->find(&calls));
    pool->release_lease(pool->acquire(1s, SourceLocation::current()));
    EXPECT_EQ(calls.checked, 1);
    pool->release_lease(second);
    pool.detach()->abandon();
    EXPECT_EQ(calls.destroyed, 2);
    EXPECT_TRUE(calls.is_deleted);
  });
}

// POOL-09 PO-08
TEST_P(PoolTest, FactoriesReturnValuesPointersOrOptionals) {
  run([&] {
    Pool<int> values({.factory = [] { return 7; }});
    EXPECT_EQ(*values.acquire(), 7);
    Pool<std::string> pointers({.factory = [] { return std::make_unique<std::string>("made"); }});
    EXPECT_EQ(pointers.acquire()->size(), 4u);
    bool has_value = false;
    Pool<int> optionals({.factory = [&]() -> std::optional<int> {
                           if (has_value) return 3;
                           return std::nullopt;
                         },
                         .backoff_initial = 1ms});
    EXPECT_THROW((void)optionals.acquire(), PoolError);  // an empty result is an error
    has_value = true;
    EXPECT_EQ(*optionals.acquire(), 3);
  });
}

TEST_P(PoolTest, DuplicateResourceIsError) {
  static int only = 0;
  run([&] {
    detail::PoolConfig config;
    config.options.factory = [](void*) -> void* { return &only; };
    auto pool = detail::ResourcePool::make(std::move(config), SourceLocation::current());
    const auto handle = pool->acquire({}, SourceLocation::current());
    EXPECT_THROW((void)pool->acquire({}, SourceLocation::current()), PoolError);
    pool->release_lease(handle);
    EXPECT_EQ(pool->count(), 1u);
    pool.detach()->abandon();
  });
}

TEST_P(PoolTest, UncontendedAcquireNeitherSwitchesNorSpawns) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    const auto before = scheduler().statistics();
    for (int i = 0; i < 100; ++i) (void)pool.acquire();
    for (int i = 0; i < 100; ++i) (void)pool.acquire(1s);
    EXPECT_EQ(scheduler().statistics().direct_switches, before.direct_switches);
    EXPECT_EQ(scheduler().statistics().spawned, before.spawned);
    EXPECT_EQ(pool.statistics().acquired, 200u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolTest);

}  // namespace
}  // namespace trueasync::test
