// What a pool does with nobody in its way.
#include "trueasync/pool.hpp"

#include "pool_support.hpp"

namespace trueasync::test {
namespace {

class PoolTest : public ReactorTest {};

TEST_P(PoolTest, LendsAndTakesBack) {
  // POOL-02 POOL-03 POOL-12
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(2));
    EXPECT_EQ(pool.count(), 0u);
    {
      auto lease = pool.acquire();
      EXPECT_EQ(lease->number, 1);
      EXPECT_EQ((*lease).number, 1);
      EXPECT_EQ(pool.active_count(), 1u);
      expect_balance(pool);
    }
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_EQ(pool.acquire()->number, 1);
    const PoolStatistics now = pool.statistics();
    EXPECT_EQ(now.created, 1u);
    EXPECT_EQ(now.acquired, 2u);
    EXPECT_EQ(now.wait.count(), 2u);
    EXPECT_EQ(now.hold.count(), 2u);
    EXPECT_EQ(now.create.count(), 1u);
    expect_balance(now);
  });
}

TEST_P(PoolTest, BadOptionsAreAClearError) {
  // POOL-01
  run([&] {
    Service service;
    EXPECT_THROW(Pool<Thing>(PoolOptions<Thing>{}), MisuseError);
    EXPECT_THROW(Pool<Thing>(service.options(0)), MisuseError);
    EXPECT_THROW(Pool<Thing>(service.options(2, 3)), MisuseError);
    EXPECT_THROW(Pool<Thing>(service.options(static_cast<std::size_t>(-1))), MisuseError);
    for (auto time : {&PoolOptions<Thing>::healthcheck_interval, &PoolOptions<Thing>::max_lifetime,
                      &PoolOptions<Thing>::idle_timeout, &PoolOptions<Thing>::create_timeout}) {
      for (auto value : {-1ms, 0ms}) {
        auto options = service.options(1);
        options.*time = value;
        EXPECT_THROW(Pool<Thing>(std::move(options)), MisuseError);
      }
    }
    auto jitter = service.options(1);
    jitter.jitter = 2;
    EXPECT_THROW(Pool<Thing>(std::move(jitter)), MisuseError);
    auto creating = service.options(1);
    creating.max_creating = 0;
    EXPECT_THROW(Pool<Thing>(std::move(creating)), MisuseError);
    EXPECT_EQ(service.made, 0);
  });
  EXPECT_THROW(Pool<int>({.factory = [] { return 1; }}), MisuseError);  // outside a runtime
}

TEST_P(PoolTest, TheFirstOnesAreMadeInAdvance) {
  // POOL-01 PO-22
  run([&] {
    Service service;
    service.takes = 1ms;
    Pool<Thing> pool(service.options(4, 3));
    EXPECT_EQ(pool.idle_count(), 3u);
    EXPECT_EQ(service.made, 3);
  });
}

TEST_P(PoolTest, AWarmUpThatFailsIsSeen) {
  // PO-22
  run([&] {
    Service service;
    service.is_down = true;
    EXPECT_THROW(Pool<Thing>(service.options(4, 2)), std::runtime_error);
    int calls = 0;
    PoolOptions<int> half{.factory = [&]() -> int {
                            if (++calls == 2) throw std::runtime_error("second");
                            return calls;
                          },
                          .destructor = [&](int&) { calls += 100; },
                          .min = 2,
                          .max_creating = 1};
    EXPECT_THROW(Pool<int>(std::move(half)), std::runtime_error);
    EXPECT_EQ(calls, 102);  // the first was destroyed again
  });
}

TEST_P(PoolTest, AWarmUpInTheBackgroundGoesOnUntilItIsDone) {
  // PO-22
  run([&] {
    Service service;
    service.is_down = true;
    auto options = service.options(4, 2);
    options.warm_up = WarmUp::background;
    options.backoff_initial = 1ms;
    Pool<Thing> pool(std::move(options));
    while (pool.statistics().failed_creations < 3) delay(1ms);
    EXPECT_EQ(pool.count(), 0u);
    service.is_down = false;
    while (pool.idle_count() < 2) delay(1ms);
    expect_balance(pool);
  });
}

TEST_P(PoolTest, TryAcquireNeverSuspends) {
  // POOL-04
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(2, 1));
    const auto switches = scheduler().statistics().direct_switches;
    auto first = pool.try_acquire();
    EXPECT_TRUE(first);
    auto none = pool.try_acquire();
    EXPECT_FALSE(none);
    EXPECT_EQ(scheduler().statistics().direct_switches, switches);
    yield_times(3);  // one is made meanwhile
    EXPECT_TRUE(pool.try_acquire());
    EXPECT_EQ(service.made, 2);
    auto second = pool.try_acquire();
    EXPECT_TRUE(second);
    EXPECT_FALSE(pool.try_acquire());
    yield_times(3);
    EXPECT_EQ(service.made, 2);  // there is room for no more
  });
}

TEST_P(PoolTest, AHookOfTryAcquireMustNotSuspend) {
  // POOL-04 PO-11
  run([&] {
    Service service;
    auto options = service.options(2, 1);
    options.before_acquire = [](Thing&) {
      yield();
      return true;
    };
    Pool<Thing> pool(std::move(options));
    EXPECT_THROW((void)pool.try_acquire(), MisuseError);
    yield_times(3);
    expect_balance(pool);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
  });
}

TEST_P(PoolTest, TheLastOneUsedIsTheFirstUnlessSaidOtherwise) {
  run([&] {
    for (const PoolOrder order : {PoolOrder::lifo, PoolOrder::fifo}) {
      Service service;
      auto options = service.options(3, 3);
      options.order = order;
      Pool<Thing> pool(std::move(options));
      std::vector<Lease<Thing>> leases;
      for (int i = 0; i < 3; ++i) leases.push_back(pool.acquire());
      for (int want : {2, 1, 3}) {
        for (auto& lease : leases) {
          if (lease && lease->number == want) lease.release();
        }
      }
      EXPECT_EQ(pool.acquire()->number, order == PoolOrder::lifo ? 3 : 2);
      EXPECT_EQ(pool.acquire()->number, order == PoolOrder::lifo ? 3 : 1);
    }
  });
}

TEST_P(PoolTest, IdleOnesAreKeptInARingThatGrows) {
  // POOL-06
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(100));
    std::vector<Lease<Thing>> leases;
    for (int i = 0; i < 100; ++i) leases.push_back(pool.acquire());
    leases.clear();
    EXPECT_EQ(pool.idle_count(), 100u);
    EXPECT_EQ(service.made, 100);
    for (int i = 0; i < 100; ++i) leases.push_back(pool.acquire());
    EXPECT_EQ(service.made, 100);
    expect_balance(pool);
  });
}

TEST_P(PoolTest, IsAnEventThatFiresWhenSomethingIsFree) {
  // POOL-07
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(1, 1));
    Event* const events[] = {&pool.event()};
    wait_any(events);  // one is idle: no wait
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

TEST_P(PoolTest, CFunctionsAreCalledDirectly) {
  // POOL-09
  struct Book {
    int objects[2] = {};
    int made = 0;
    int checked = 0;
    int destroyed = 0;
    bool is_dropped = false;
  } book;
  run([&] {
    detail::PoolConfig recipe;
    recipe.options.factory = [](void* user) -> void* {
      auto& own = *static_cast<Book*>(user);
      return &own.objects[own.made++];
    };
    recipe.options.destructor = [](void*, void* user) { ++static_cast<Book*>(user)->destroyed; };
    recipe.options.before_acquire = [](void* resource, void* user) {
      ++static_cast<Book*>(user)->checked;
      return resource != nullptr;
    };
    recipe.options.max = 2;
    recipe.user = detail::PoolHookContext(&book, [](void* user) { static_cast<Book*>(user)->is_dropped = true; });
    auto pool = detail::ResourcePool::make(std::move(recipe), SourceLocation::current());
    const detail::LeaseHandle first = pool->acquire({}, SourceLocation::current());
    const detail::LeaseHandle second = pool->acquire({}, SourceLocation::current());
    EXPECT_EQ(first.resource, &book.objects[0]);
    EXPECT_EQ(pool->find(&book.objects[1]).generation, second.generation);
    pool->release_lease(first);
    EXPECT_FALSE(pool->find(&book.objects[0]));
    EXPECT_FALSE(pool->find(&book));
    pool->release_lease(pool->acquire(1s, SourceLocation::current()));
    EXPECT_EQ(book.checked, 1);
    pool->release_lease(second);
    pool.detach()->abandon();
    EXPECT_EQ(book.destroyed, 2);
    EXPECT_TRUE(book.is_dropped);
  });
}

TEST_P(PoolTest, FactoriesReturnValuesPointersOrOptionals) {
  // POOL-09 PO-08
  run([&] {
    Pool<int> values({.factory = [] { return 7; }});
    EXPECT_EQ(*values.acquire(), 7);
    Pool<std::string> pointers({.factory = [] { return std::make_unique<std::string>("made"); }});
    EXPECT_EQ(pointers.acquire()->size(), 4u);
    bool is_there = false;
    Pool<int> optionals({.factory = [&]() -> std::optional<int> {
                           if (is_there) return 3;
                           return std::nullopt;
                         },
                         .backoff_initial = 1ms});
    EXPECT_THROW((void)optionals.acquire(), PoolError);  // nothing is an error, not a wait
    is_there = true;
    EXPECT_EQ(*optionals.acquire(), 3);
  });
}

TEST_P(PoolTest, TheSameResourceTwiceIsAnError) {
  static int only = 0;
  run([&] {
    detail::PoolConfig recipe;
    recipe.options.factory = [](void*) -> void* { return &only; };
    auto pool = detail::ResourcePool::make(std::move(recipe), SourceLocation::current());
    const auto ticket = pool->acquire({}, SourceLocation::current());
    EXPECT_THROW((void)pool->acquire({}, SourceLocation::current()), PoolError);
    pool->release_lease(ticket);
    EXPECT_EQ(pool->count(), 1u);
    pool.detach()->abandon();
  });
}

TEST_P(PoolTest, AnUncontendedLeaseNeitherSwitchesNorAllocates) {
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(1, 1));
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
