// Making resources: in coroutines of their own, bounded, with pauses after failures.
#include "pool_support.hpp"

#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolCreationTest : public ReactorTest {};

TEST_P(PoolCreationTest, OutlivesTheOneWhoAsked) {
  // XC-15 R2
  run([&] {
    Service service;
    service.takes = 2ms;
    Pool<Thing> pool(service.options(2));
    auto asker = spawn([&] { (void)pool.acquire(); });
    yield_times(2);
    EXPECT_EQ(service.under_way, 1);
    asker.cancel();
    yield_times(2);
    EXPECT_TRUE(asker.is_cancelled());
    EXPECT_EQ(service.under_way, 1);
    while (pool.idle_count() == 0) delay(1ms);
    EXPECT_EQ(pool.acquire()->number, 1);  // no second one was made
    {
      auto lease = pool.acquire();
      EXPECT_THROW((void)pool.acquire(1ms), TimeoutError);
    }
    while (pool.count() < 2) delay(1ms);
    EXPECT_EQ(pool.idle_count(), 2u);
    EXPECT_EQ(service.made, 2);
    expect_balance(pool);
  });
}

TEST_P(PoolCreationTest, IsNotReachedByTheScopeOfTheOneWhoAsked) {
  // XC-15
  run([&] {
    Service service;
    service.takes = 2ms;
    Pool<Thing> pool(service.options(1));
    {
      Scope scope = Scope::inherit();
      scope.spawn([&] { (void)pool.acquire(); });
      yield_times(2);
      scope.cancel();
    }
    while (pool.idle_count() == 0) delay(1ms);
    EXPECT_EQ(service.made, 1);
  });
}

TEST_P(PoolCreationTest, CapacityIsTakenBeforeTheFactoryIsCalled) {
  // PO-09
  run([&] {
    Service service;
    Latch asked(20);
    int calls = 0;
    auto options = service.options(3);
    options.max_creating = 100;
    options.factory = [&] {
      ++calls;
      asked.wait();  // nothing is there before everybody has asked
      return service.make();
    };
    Pool<Thing> pool(std::move(options));
    std::vector<Task<void>> all;
    for (int i = 0; i < 20; ++i) {
      all.push_back(spawn([&] {
        asked.count_down();
        auto lease = pool.acquire();
        yield();
      }));
    }
    for (auto& task : all) await(task);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(service.made, 3);
    expect_balance(pool);
  });
}

TEST_P(PoolCreationTest, NotMoreAreUnderWayThanAllowed) {
  run([&] {
    Service service;
    service.takes = 1ms;
    auto options = service.options(10);
    options.max_creating = 2;
    Pool<Thing> pool(std::move(options));
    std::vector<Task<void>> all;
    Latch have(10);
    for (int i = 0; i < 10; ++i) {
      all.push_back(spawn([&] {
        auto lease = pool.acquire();
        have.count_down();
        have.wait();
      }));
    }
    for (auto& task : all) await(task);
    EXPECT_EQ(service.made, 10);
    EXPECT_EQ(service.most_under_way, 2);
  });
}

TEST_P(PoolCreationTest, EachFailureIsToldToTheOldestAndNobodySleepsForEver) {
  // PO-07 PO-10
  run([&] {
    int calls = 0;
    Pool<int> pool({.factory = [&]() -> int { throw std::runtime_error("failure " + std::to_string(++calls)); },
                    .max = 1,
                    .backoff_initial = 1ms,
                    .backoff_max = 1ms});
    std::vector<std::string> errors;
    std::vector<Task<void>> all;
    for (int i = 0; i < 4; ++i) {
      all.push_back(spawn([&, i] {
        try {
          (void)pool.acquire();
        } catch (const std::runtime_error& error) {
          errors.push_back(std::to_string(i) + error.what());
        }
      }));
    }
    for (auto& task : all) await(task);
    EXPECT_EQ(errors, (std::vector<std::string>{"0failure 1", "1failure 2", "2failure 3", "3failure 4"}));
    EXPECT_EQ(pool.statistics().failed_creations, 4u);
    EXPECT_EQ(pool.statistics().creating, 0u);
    expect_balance(pool);
  });
}

TEST_P(PoolCreationTest, TheOneWhoseCreationFailedIsToldAtOnce) {
  // PO-10
  run([&] {
    Service service;
    service.is_down = true;
    Pool<Thing> pool(service.options(2));
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);
    EXPECT_EQ(pool.statistics().waiting, 0u);
    service.is_down = false;
    EXPECT_EQ(pool.acquire()->number, 1);
  });
}

TEST_P(PoolCreationTest, AFailureWhileOthersAreLentIsNoWait) {
  // PO-07
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(2, 1));
    auto lease = pool.acquire();
    service.is_down = true;
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);
    lease.release();
    EXPECT_EQ(pool.acquire()->number, 1);
    expect_balance(pool);
  });
}

TEST(PoolCreation, PausesGrowAfterFailuresAndEndWithASuccess) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    std::vector<std::chrono::nanoseconds> times;
    bool is_down = true;
    PoolOptions<int> options;
    options.factory = [&] {
      times.push_back(simulation.now());
      if (is_down) throw std::runtime_error("down");
      return 1;
    };
    options.min = 1;
    options.max = 1;
    options.warm_up = WarmUp::background;
    options.backoff_initial = 100ms;
    options.backoff_max = 1s;
    Pool<int> pool(std::move(options));
    delay(10s);
    ASSERT_GE(times.size(), 8u);
    for (std::size_t i = 1; i < times.size(); ++i) {
      const auto whole = std::min<std::chrono::nanoseconds>(100ms * (1 << (i - 1)), 1s);
      EXPECT_LE(times[i] - times[i - 1], whole);
      EXPECT_GE(times[i] - times[i - 1], whole / 2);  // the jitter takes half of it at most
    }
    is_down = false;
    delay(2s);
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_EQ(pool.statistics().failed_creations + 1, times.size());
  });
  expect_no_leaks(simulation.runtime());
}

TEST(PoolCreation, APauseNobodyWaitsForHidesNoDeadlock) {
  // PO-16 DL-04
  testing::Simulation simulation({.order = testing::Order::fifo});
  EXPECT_THROW(simulation.run([&] {
    PoolOptions<int> options;
    options.factory = []() -> int { throw std::runtime_error("down"); };
    options.min = 1;
    options.warm_up = WarmUp::background;
    Pool<int> pool(std::move(options));
    yield_times(5);
    Channel<int>().recv();  // nobody sends: the channel is closed by the deadlock
  }),
               ChannelError);
}

TEST(PoolCreation, APauseSomebodyWaitsForIsNoDeadlock) {
  // PO-07 DL-04
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    Service service;
    service.is_down = true;
    Pool<Thing> pool(service.options(1));
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);  // waits for the end of the pause
    EXPECT_EQ(simulation.runtime().statistics().deadlocks, 0u);
  });
}

TEST(PoolCreation, OneDeadlineCoversWaitFactoryAndHooks) {
  // POOL-10 PO-28
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    Service service;
    service.takes = 40ms;
    auto options = service.options(1);
    int refused = 0;
    options.before_acquire = [&](Thing&) {
      delay(20ms);
      return ++refused > 10;
    };
    Pool<Thing> pool(std::move(options));
    pool.acquire().release();
    // Each round takes 20 ms for the hook and 40 ms for a new one, but a new one needs no hook: so 60 ms do, 50 do not.
    auto begun = simulation.now();
    EXPECT_THROW((void)pool.acquire(50ms), TimeoutError);
    EXPECT_EQ(simulation.now() - begun, 50ms);
    delay(1s);
    begun = simulation.now();
    EXPECT_THROW((void)pool.acquire(10ms), TimeoutError);  // in the hook
    EXPECT_EQ(simulation.now() - begun, 10ms);
    delay(1s);
    EXPECT_EQ(pool.acquire(70ms)->number, service.made);
    expect_balance(pool);
  });
  expect_no_leaks(simulation.runtime());
}

TEST(PoolCreation, ATimeoutOfTheFactoryFreesTheCapacity) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    Service service;
    service.takes = 1h;
    auto options = service.options(1);
    options.create_timeout = 1s;
    Pool<Thing> pool(std::move(options));
    EXPECT_THROW((void)pool.acquire(), TimeoutError);
    EXPECT_EQ(simulation.now(), 1s);
    service.takes = 1ms;
    EXPECT_EQ(pool.acquire()->number, 1);
    EXPECT_EQ(service.under_way, 0);
  });
  expect_no_leaks(simulation.runtime());
}

TEST_P(PoolCreationTest, WhatIsUnderWayAtTheEndOfThePoolIsWaitedFor) {
  // XC-15
  run([&] {
    bool was_cancelled = false;
    {
      Pool<int> pool({.factory = [&]() -> int {
        try {
          delay(1h);
        } catch (const Cancelled&) {
          yield();  // cleans up
          was_cancelled = true;
          throw;
        }
        return 1;
      }});
      auto asker = spawn([&] { EXPECT_THROW((void)pool.acquire(), PoolClosedError); });
      yield_times(2);
    }
    EXPECT_TRUE(was_cancelled);
  });
}

TEST_P(PoolCreationTest, WhatLandsInAClosedPoolIsDestroyed) {
  // POOL-08
  run([&] {
    int destroyed = 0;
    Pool<int> pool({.factory =
                        [] {
                          return protect([] {
                            delay(2ms);
                            return 1;
                          });
                        },
                    .destructor = [&](int&) { ++destroyed; }});
    auto asker = spawn([&] { EXPECT_THROW((void)pool.acquire(), PoolClosedError); });
    yield_times(2);
    pool.close();
    await(asker);
    while (pool.statistics().creating != 0) delay(1ms);
    // protect() delivers the cancellation after the value is made: then there is nothing to destroy.
    EXPECT_EQ(static_cast<std::uint64_t>(destroyed), pool.statistics().destroyed);
    expect_balance(pool);
  });
}

TEST_P(PoolCreationTest, AShutdownEndsThemAll) {
  // SHU-01
  EXPECT_THROW(run([&] {
                 Service service;
                 service.takes = 1h;
                 Pool<Thing> pool(service.options(4));
                 auto ask = [&] { EXPECT_THROW((void)pool.acquire(), PoolClosedError); };
                 spawn(ask);
                 spawn(ask);
                 yield_times(2);
                 spawn(ask);
                 throw std::logic_error("main ends");
               }),
               std::logic_error);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolCreationTest);

}  // namespace
}  // namespace trueasync::test
