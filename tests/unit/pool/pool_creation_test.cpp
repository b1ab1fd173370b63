// Creation of resources: background coroutines, max_creating, backoff after failures.
#include "pool_support.hpp"

#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolCreationTest : public ReactorTest {};

// XC-15 R2
TEST_P(PoolCreationTest, CreationSurvivesCancelledRequester) {
  run([&] {
    Service service;
    service.create_delay = 2ms;
    Pool<Connection> pool(service.options(2));
    auto requester = spawn([&] { (void)pool.acquire(); });
    yield_times(2);
    EXPECT_EQ(service.in_flight, 1);
    requester.cancel();
    yield_times(2);
    EXPECT_TRUE(requester.is_cancelled());
    EXPECT_EQ(service.in_flight, 1);
    while (pool.idle_count() == 0) delay(1ms);
    EXPECT_EQ(pool.acquire()->number, 1);  // no second connection was created
    {
      auto lease = pool.acquire();
      EXPECT_THROW((void)pool.acquire(1ms), TimeoutError);
    }
    while (pool.count() < 2) delay(1ms);
    EXPECT_EQ(pool.idle_count(), 2u);
    EXPECT_EQ(service.created, 2);
    expect_consistent_counts(pool);
  });
}

// XC-15
TEST_P(PoolCreationTest, CreationSurvivesCancelledScopeOfRequester) {
  run([&] {
    Service service;
    service.create_delay = 2ms;
    Pool<Connection> pool(service.options(1));
    {
      Scope scope = Scope::inherit();
      scope.spawn([&] { (void)pool.acquire(); });
      yield_times(2);
      scope.cancel();
    }
    while (pool.idle_count() == 0) delay(1ms);
    EXPECT_EQ(service.created, 1);
  });
}

// PO-09
TEST_P(PoolCreationTest, CapacityIsTakenBeforeFactoryCall) {
  run([&] {
    Service service;
    Latch requested(20);
    int calls = 0;
    auto options = service.options(3);
    options.max_creating = 100;
    options.factory = [&] {
      ++calls;
      requested.wait();  // no resource exists before every coroutine has called acquire()
      return service.create();
    };
    Pool<Connection> pool(std::move(options));
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 20; ++i) {
      tasks.push_back(spawn([&] {
        requested.count_down();
        auto lease = pool.acquire();
        yield();
      }));
    }
    for (auto& task : tasks) await(task);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(service.created, 3);
    expect_consistent_counts(pool);
  });
}

TEST_P(PoolCreationTest, MaxCreatingLimitsConcurrentCreations) {
  run([&] {
    Service service;
    service.create_delay = 1ms;
    auto options = service.options(10);
    options.max_creating = 2;
    Pool<Connection> pool(std::move(options));
    std::vector<Task<void>> tasks;
    Latch have(10);
    for (int i = 0; i < 10; ++i) {
      tasks.push_back(spawn([&] {
        auto lease = pool.acquire();
        have.count_down();
        have.wait();
      }));
    }
    for (auto& task : tasks) await(task);
    EXPECT_EQ(service.created, 10);
    EXPECT_EQ(service.max_in_flight, 2);
  });
}

// PO-07 PO-10
TEST_P(PoolCreationTest, EachFailureIsReportedToOldestWaiter) {
  run([&] {
    int calls = 0;
    Pool<int> pool({.factory = [&]() -> int { throw std::runtime_error("failure " + std::to_string(++calls)); },
                    .max = 1,
                    .backoff_initial = 1ms,
                    .backoff_max = 1ms});
    std::vector<std::string> errors;
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 4; ++i) {
      tasks.push_back(spawn([&, i] {
        try {
          (void)pool.acquire();
        } catch (const std::runtime_error& error) {
          errors.push_back(std::to_string(i) + error.what());
        }
      }));
    }
    for (auto& task : tasks) await(task);
    EXPECT_EQ(errors, (std::vector<std::string>{"0failure 1", "1failure 2", "2failure 3", "3failure 4"}));
    EXPECT_EQ(pool.statistics().failed_creations, 4u);
    EXPECT_EQ(pool.statistics().creating, 0u);
    expect_consistent_counts(pool);
  });
}

// PO-10
TEST_P(PoolCreationTest, FailedCreationFailsRequesterImmediately) {
  run([&] {
    Service service;
    service.is_down = true;
    Pool<Connection> pool(service.options(2));
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);
    EXPECT_EQ(pool.statistics().waiting, 0u);
    service.is_down = false;
    EXPECT_EQ(pool.acquire()->number, 1);
  });
}

// PO-07
TEST_P(PoolCreationTest, FailedCreationFailsAcquireWhileOthersAreLeased) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(2, 1));
    auto lease = pool.acquire();
    service.is_down = true;
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);
    lease.release();
    EXPECT_EQ(pool.acquire()->number, 1);
    expect_consistent_counts(pool);
  });
}

TEST(PoolCreation, BackoffGrowsWithFailuresAndEndsWithSuccess) {
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
      const auto full_delay = std::min<std::chrono::nanoseconds>(100ms * (1 << (i - 1)), 1s);
      EXPECT_LE(times[i] - times[i - 1], full_delay);
      EXPECT_GE(times[i] - times[i - 1], full_delay / 2);  // the jitter removes at most half
    }
    is_down = false;
    delay(2s);
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_EQ(pool.statistics().failed_creations + 1, times.size());
  });
  expect_no_leaks(simulation.runtime());
}

// PO-16 DL-04
TEST(PoolCreation, BackoffWithoutWaiterDoesNotPreventDeadlockDetection) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  EXPECT_THROW(simulation.run([&] {
    PoolOptions<int> options;
    options.factory = []() -> int { throw std::runtime_error("down"); };
    options.min = 1;
    options.warm_up = WarmUp::background;
    Pool<int> pool(std::move(options));
    yield_times(5);
    Channel<int>().recv();  // no sender: the deadlock closes the channel
  }),
               ChannelError);
}

// PO-07 DL-04
TEST(PoolCreation, BackoffWithWaiterIsNoDeadlock) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    Service service;
    service.is_down = true;
    Pool<Connection> pool(service.options(1));
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);  // waits for the end of the backoff
    EXPECT_EQ(simulation.runtime().statistics().deadlocks, 0u);
  });
}

// POOL-10 PO-28
TEST(PoolCreation, OneDeadlineCoversWaitFactoryAndHooks) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    Service service;
    service.create_delay = 40ms;
    auto options = service.options(1);
    int calls = 0;
    options.before_acquire = [&](Connection&) {
      delay(20ms);
      return ++calls > 10;
    };
    Pool<Connection> pool(std::move(options));
    pool.acquire().release();
    // The hook rejects after 20 ms, the factory takes 40 ms. A new resource needs no hook: 60 ms suffice, 50 do not.
    auto start_time = simulation.now();
    EXPECT_THROW((void)pool.acquire(50ms), TimeoutError);
    EXPECT_EQ(simulation.now() - start_time, 50ms);
    delay(1s);
    start_time = simulation.now();
    EXPECT_THROW((void)pool.acquire(10ms), TimeoutError);  // expires in the hook
    EXPECT_EQ(simulation.now() - start_time, 10ms);
    delay(1s);
    EXPECT_EQ(pool.acquire(70ms)->number, service.created);
    expect_consistent_counts(pool);
  });
  expect_no_leaks(simulation.runtime());
}

TEST(PoolCreation, FactoryTimeoutFreesCapacity) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    Service service;
    service.create_delay = 1h;
    auto options = service.options(1);
    options.create_timeout = 1s;
    Pool<Connection> pool(std::move(options));
    EXPECT_THROW((void)pool.acquire(), TimeoutError);
    EXPECT_EQ(simulation.now(), 1s);
    service.create_delay = 1ms;
    EXPECT_EQ(pool.acquire()->number, 1);
    EXPECT_EQ(service.in_flight, 0);
  });
  expect_no_leaks(simulation.runtime());
}

// XC-15
TEST_P(PoolCreationTest, DestructorWaitsForCreationInFlight) {
  run([&] {
    bool was_cancelled = false;
    {
      Pool<int> pool({.factory = [&]() -> int {
        try {
          delay(1h);
        } catch (const Cancelled&) {
          yield();  // cleanup that suspends
          was_cancelled = true;
          throw;
        }
        return 1;
      }});
      auto requester = spawn([&] { EXPECT_THROW((void)pool.acquire(), PoolClosedError); });
      yield_times(2);
    }
    EXPECT_TRUE(was_cancelled);
  });
}

// POOL-08
TEST_P(PoolCreationTest, ResourceCreatedAfterCloseIsDestroyed) {
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
    auto requester = spawn([&] { EXPECT_THROW((void)pool.acquire(), PoolClosedError); });
    yield_times(2);
    pool.close();
    await(requester);
    while (pool.statistics().creating != 0) delay(1ms);
    // protect() delivers the cancellation after the value is created: then there is nothing to destroy.
    EXPECT_EQ(static_cast<std::uint64_t>(destroyed), pool.statistics().destroyed);
    expect_consistent_counts(pool);
  });
}

// SHU-01
TEST_P(PoolCreationTest, ShutdownEndsCreations) {
  EXPECT_THROW(run([&] {
                 Service service;
                 service.create_delay = 1h;
                 Pool<Connection> pool(service.options(4));
                 auto acquire_closed = [&] { EXPECT_THROW((void)pool.acquire(), PoolClosedError); };
                 spawn(acquire_closed);
                 spawn(acquire_closed);
                 yield_times(2);
                 spawn(acquire_closed);
                 throw std::logic_error("main ends");
               }),
               std::logic_error);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolCreationTest);

}  // namespace
}  // namespace trueasync::test
