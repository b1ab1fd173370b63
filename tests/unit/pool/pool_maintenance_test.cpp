// Maintenance: health checks, max_lifetime, idle_timeout and leak detection on the background timer.
#include "pool_support.hpp"

#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolMaintenanceTest : public ReactorTest {};

// Runs `scenario` in virtual time with the FIFO order of production.
template <class F>
void simulate(F&& scenario) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] { scenario(simulation); });
  expect_no_leaks(simulation.runtime());
}

// POOL-05
TEST_P(PoolMaintenanceTest, HealthCheckReplacesFailedIdleResources) {
  run([&] {
    Service service;
    auto options = service.options(4, 2);
    std::vector<int> checked;
    options.healthcheck = [&](Connection& connection) {
      checked.push_back(connection.number);
      return connection.is_healthy;
    };
    options.healthcheck_interval = 2ms;
    Pool<Connection> pool(std::move(options));
    {
      auto leased = pool.acquire();
      auto unhealthy = pool.acquire();
      unhealthy->is_healthy = false;
      const int leased_number = leased->number;
      unhealthy.release();
      while (service.destroyed.empty()) delay(1ms);
      EXPECT_EQ(std::count(checked.begin(), checked.end(), leased_number), 0);  // only idle resources are checked
      while (pool.count() < 2) delay(1ms);
    }
    EXPECT_GE(pool.statistics().failed_checks, 1u);
    expect_consistent_counts(pool);
  });
}

// POOL-05
TEST(PoolMaintenance, HealthChecksRunEveryInterval) {
  simulate([](testing::Simulation& simulation) {
    Service service;
    std::vector<std::chrono::nanoseconds> times;
    auto options = service.options(1, 1);
    options.healthcheck = [&](Connection&) {
      times.push_back(simulation.now());
      return true;
    };
    options.healthcheck_interval = 30s;
    Pool<Connection> pool(std::move(options));
    delay(100s);
    EXPECT_EQ(times, (std::vector<std::chrono::nanoseconds>{30s, 60s, 90s}));
    pool.close();
    delay(100s);
    EXPECT_EQ(times.size(), 3u);
  });
}

// PO-11
TEST(PoolMaintenance, HealthCheckErrorDestroysResourceAndRoundContinues) {
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(4, 3);
    options.healthcheck = [&](Connection& connection) -> bool {
      if (connection.number == 1) throw std::runtime_error("no answer");
      return connection.number != 2;
    };
    int errors = 0;
    options.destructor = [&](Connection& connection) {
      service.destroyed.push_back(connection.number);
      throw std::runtime_error("destructor");
    };
    options.on_error = [&](const std::exception_ptr&) { ++errors; };
    options.healthcheck_interval = 1s;
    Pool<Connection> pool(std::move(options));
    delay(1500ms);
    EXPECT_EQ(service.destroyed, (std::vector<int>{1, 2}));
    EXPECT_EQ(errors, 2);
    EXPECT_EQ(pool.idle_count(), 3u);
    expect_consistent_counts(pool);
  });
}

// POOL-05 PO-15
TEST(PoolMaintenance, SuspendedHealthCheckBlocksOnlyItsResource) {
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(2, 2);
    options.healthcheck = [&](Connection&) {
      delay(100ms);
      return true;
    };
    options.healthcheck_interval = 1s;
    Pool<Connection> pool(std::move(options));
    delay(1010ms);
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_EQ(pool.active_count(), 1u);
    auto first = pool.acquire(0ms);
    auto second = spawn([&] { return pool.acquire()->number; });  // gets the resource that is being checked
    EXPECT_NE(await(second), first->number);
    expect_consistent_counts(pool);
  });
}

// POOL-05
TEST(PoolMaintenance, HangingHealthCheckIsCancelledAndRoundContinues) {
  simulate([](testing::Simulation& simulation) {
    Service service;
    std::vector<int> checked;
    auto options = service.options(3, 2);
    options.healthcheck = [&](Connection& connection) {
      checked.push_back(connection.number);
      if (connection.number == 1) delay(1h);
      return true;
    };
    options.healthcheck_interval = 10s;
    Pool<Connection> pool(std::move(options));
    delay(25s);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    EXPECT_EQ(pool.statistics().failed_checks, 1u);
    EXPECT_EQ(pool.idle_count(), 2u);
    EXPECT_GE(checked.size(), 3u);
    EXPECT_EQ(simulation.now(), 25s);
    expect_consistent_counts(pool);
  });
}

// PO-16 EVT-05
TEST(PoolMaintenance, MaintenanceTimerDoesNotPreventDeadlockDetection) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  Service service;
  std::optional<Pool<Connection>> pool;
  simulation.run([&] {
    auto options = service.options(1, 1);
    options.healthcheck = [](Connection&) { return true; };
    options.healthcheck_interval = 1s;
    options.max_lifetime = 1h;
    options.leak_threshold = 1h;
    pool.emplace(std::move(options));
    Channel<int> channel;
    EXPECT_THROW(channel.recv(), ChannelError);  // no sender
  });
  EXPECT_EQ(simulation.now(), 0s);
  EXPECT_EQ(simulation.runtime().statistics().deadlocks, 1u);
  pool.reset();
  EXPECT_EQ(service.destroyed.size(), 1u);
  expect_no_leaks(simulation.runtime());
}

// PO-17
TEST_P(PoolMaintenanceTest, CloseDuringHealthCheckDestroysAllResources) {
  run([&] {
    Service service;
    auto options = service.options(2, 2);
    bool is_checking = false;
    options.healthcheck = [&](Connection&) {
      is_checking = true;
      delay(1h);
      return true;
    };
    options.healthcheck_interval = 20ms;
    Pool<Connection> pool(std::move(options));
    while (!is_checking) delay(1ms);
    pool.close();
    while (pool.count() != 0) yield();
    EXPECT_EQ(static_cast<int>(service.destroyed.size()), service.created);
    expect_consistent_counts(pool);
  });
}

// XC-16
TEST(PoolMaintenance, BusyResourceExpiresAtMaxLifetime) {
  simulate([](testing::Simulation& simulation) {
    Service service;
    auto options = service.options(1, 1);
    options.max_lifetime = 10s;
    options.jitter = 0;
    Pool<Connection> pool(std::move(options));
    for (int i = 0; i < 100; ++i) {  // almost never idle
      auto lease = pool.acquire();
      delay(150ms);
    }
    EXPECT_EQ(simulation.now(), 15s);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    EXPECT_EQ(pool.acquire()->number, 2);
    expect_consistent_counts(pool);
    EXPECT_EQ(pool.statistics().age.count(), 1u);
  });
}

// XC-17
TEST(PoolMaintenance, IdleResourceExpiresAtMaxLifetimeAndMinIsKept) {
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(2, 2);
    options.max_lifetime = 10s;
    options.jitter = 0.5;
    Pool<Connection> pool(std::move(options));
    delay(4900ms);
    EXPECT_EQ(service.destroyed.size(), 0u);  // the jitter removes at most half
    delay(5200ms);
    EXPECT_GE(service.destroyed.size(), 2u);
    EXPECT_EQ(pool.idle_count(), 2u);
    expect_consistent_counts(pool);
  });
}

TEST(PoolMaintenance, JitterSpreadsExpiryOfResourcesCreatedTogether) {
  simulate([](testing::Simulation& simulation) {
    Service service;
    std::vector<std::chrono::nanoseconds> times;
    auto options = service.options(20, 20);
    options.max_lifetime = 100s;
    options.jitter = 0.1;
    options.destructor = [&](Connection&) { times.push_back(simulation.now()); };
    Pool<Connection> pool(std::move(options));
    delay(101s);
    ASSERT_GE(times.size(), 20u);
    EXPECT_GE(times.front(), 90s);
    EXPECT_GT(times[19] - times[0], 2s);
  });
}

// XC-17
TEST(PoolMaintenance, IdleTimeoutDestroysResourcesAboveMin) {
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(5, 2);
    options.idle_timeout = 10s;
    options.jitter = 0;
    Pool<Connection> pool(std::move(options));
    {
      std::vector<Lease<Connection>> leases;
      for (int i = 0; i < 5; ++i) leases.push_back(pool.acquire());
      delay(60s);  // a leased resource is not idle
      EXPECT_EQ(pool.count(), 5u);
    }
    delay(9s);
    EXPECT_EQ(pool.count(), 5u);
    (void)pool.acquire();  // restarts the idle time of the last resource
    delay(2s);
    EXPECT_EQ(pool.count(), 2u);
    delay(100s);
    EXPECT_EQ(pool.count(), 2u);
    EXPECT_EQ(service.created, 5);  // no resource was created only to expire
    expect_consistent_counts(pool);
  });
}

// PO-29
TEST(PoolMaintenance, LeakedLeaseIsReportedOnceWithLocation) {
  simulate([](testing::Simulation&) {
    Service service;
    std::vector<LeaseHolder> leaks;
    auto options = service.options(2);
    options.leak_threshold = 10s;
    options.on_leak = [&](const LeaseHolder& holder) { leaks.push_back(holder); };
    Pool<Connection> pool(std::move(options));
    Lease<Connection> kept;
    unsigned line = 0;
    await(spawn({.name = "leaking"}, [&] {
      line = __LINE__ + 1;
      kept = pool.acquire();
    }));
    auto other = pool.acquire();
    delay(5s);
    other.release();
    delay(20s);
    ASSERT_EQ(leaks.size(), 1u);
    EXPECT_EQ(leaks[0].acquire_location.line(), line);
    EXPECT_NE(std::string(leaks[0].acquire_location.file()).find("pool_maintenance_test"), std::string::npos);
    EXPECT_TRUE(leaks[0].has_ended);
    EXPECT_GE(leaks[0].held, 10s);
    EXPECT_EQ(pool.statistics().leaks, 1u);
    kept.release();
    kept = pool.acquire();  // a new lease of the same resource
    delay(20s);
    EXPECT_EQ(leaks.size(), 2u);
  });
}

TEST(PoolMaintenance, ExpiredResourceIsNotLeased) {
  simulate([](testing::Simulation& simulation) {
    Service service;
    auto options = service.options(1, 1);
    options.max_lifetime = 10s;
    options.jitter = 0;
    Pool<Connection> pool(std::move(options));
    delay(1s);
    simulation.advance(20s);  // as if the program computed without polling
    delay(1ms);
    EXPECT_EQ(pool.acquire()->number, 2);
    yield_times(3);
    expect_consistent_counts(pool);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolMaintenanceTest);

}  // namespace
}  // namespace trueasync::test
