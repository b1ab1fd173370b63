// Health checks, lifetimes, idle times, leaks: what a pool does on its hidden timer.
#include "pool_support.hpp"

#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolUpkeepTest : public ReactorTest {};

// Virtual time, in the order of production.
template <class F>
void simulate(F&& scenario) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] { scenario(simulation); });
  expect_no_leaks(simulation.runtime());
}

TEST_P(PoolUpkeepTest, DeadIdleOnesAreFoundAndReplaced) {
  // POOL-05
  run([&] {
    Service service;
    auto options = service.options(4, 2);
    std::vector<int> checked;
    options.healthcheck = [&](Thing& thing) {
      checked.push_back(thing.number);
      return thing.is_alive;
    };
    options.healthcheck_interval = 2ms;
    Pool<Thing> pool(std::move(options));
    {
      auto lent = pool.acquire();
      auto dying = pool.acquire();
      dying->is_alive = false;
      const int lent_number = lent->number;
      dying.release();
      while (service.destroyed.empty()) delay(1ms);
      EXPECT_EQ(std::count(checked.begin(), checked.end(), lent_number), 0);  // idle ones only
      while (pool.count() < 2) delay(1ms);
    }
    EXPECT_GE(pool.statistics().failed_checks, 1u);
    expect_balance(pool);
  });
}

TEST(PoolUpkeep, ChecksComeAtTheirTimes) {
  // POOL-05
  simulate([](testing::Simulation& simulation) {
    Service service;
    std::vector<std::chrono::nanoseconds> times;
    auto options = service.options(1, 1);
    options.healthcheck = [&](Thing&) {
      times.push_back(simulation.now());
      return true;
    };
    options.healthcheck_interval = 30s;
    Pool<Thing> pool(std::move(options));
    delay(100s);
    EXPECT_EQ(times, (std::vector<std::chrono::nanoseconds>{30s, 60s, 90s}));
    pool.close();
    delay(100s);
    EXPECT_EQ(times.size(), 3u);
  });
}

TEST(PoolUpkeep, AnErrorOfACheckIsADeadResourceAndTheRoundGoesOn) {
  // PO-11
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(4, 3);
    options.healthcheck = [&](Thing& thing) -> bool {
      if (thing.number == 1) throw std::runtime_error("no answer");
      return thing.number != 2;
    };
    int errors = 0;
    options.destructor = [&](Thing& thing) {
      service.destroyed.push_back(thing.number);
      throw std::runtime_error("destructor");
    };
    options.on_error = [&](const std::exception_ptr&) { ++errors; };
    options.healthcheck_interval = 1s;
    Pool<Thing> pool(std::move(options));
    delay(1500ms);
    EXPECT_EQ(service.destroyed, (std::vector<int>{1, 2}));
    EXPECT_EQ(errors, 2);
    EXPECT_EQ(pool.idle_count(), 3u);
    expect_balance(pool);
  });
}

TEST(PoolUpkeep, ACheckThatSuspendsLeavesTheOthersToThoseWhoAsk) {
  // POOL-05 PO-15
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(2, 2);
    options.healthcheck = [&](Thing&) {
      delay(100ms);
      return true;
    };
    options.healthcheck_interval = 1s;
    Pool<Thing> pool(std::move(options));
    delay(1010ms);
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_EQ(pool.active_count(), 1u);
    auto first = pool.acquire(0ms);
    auto second = spawn([&] { return pool.acquire()->number; });  // gets the one that is being checked
    EXPECT_NE(await(second), first->number);
    expect_balance(pool);
  });
}

TEST(PoolUpkeep, ACheckThatHangsIsEndedAndTheOthersFollow) {
  // POOL-05
  simulate([](testing::Simulation& simulation) {
    Service service;
    std::vector<int> checked;
    auto options = service.options(3, 2);
    options.healthcheck = [&](Thing& thing) {
      checked.push_back(thing.number);
      if (thing.number == 1) delay(1h);
      return true;
    };
    options.healthcheck_interval = 10s;
    Pool<Thing> pool(std::move(options));
    delay(25s);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    EXPECT_EQ(pool.statistics().failed_checks, 1u);
    EXPECT_EQ(pool.idle_count(), 2u);
    EXPECT_GE(checked.size(), 3u);
    EXPECT_EQ(simulation.now(), 25s);
    expect_balance(pool);
  });
}

TEST(PoolUpkeep, TheTimerNeitherKeepsTheProgramAliveNorHidesADeadlock) {
  // PO-16 EVT-05
  testing::Simulation simulation({.order = testing::Order::fifo});
  Service service;
  std::optional<Pool<Thing>> pool;
  simulation.run([&] {
    auto options = service.options(1, 1);
    options.healthcheck = [](Thing&) { return true; };
    options.healthcheck_interval = 1s;
    options.max_lifetime = 1h;
    options.leak_threshold = 1h;
    pool.emplace(std::move(options));
    Channel<int> channel;
    EXPECT_THROW(channel.recv(), ChannelError);  // nobody sends
  });
  EXPECT_EQ(simulation.now(), 0s);
  EXPECT_EQ(simulation.runtime().statistics().deadlocks, 1u);
  pool.reset();
  EXPECT_EQ(service.destroyed.size(), 1u);
  expect_no_leaks(simulation.runtime());
}

TEST_P(PoolUpkeepTest, ClosingInTheMiddleOfACheckIsFine) {
  // PO-17
  run([&] {
    Service service;
    auto options = service.options(2, 2);
    bool is_checking = false;
    options.healthcheck = [&](Thing&) {
      is_checking = true;
      delay(1h);
      return true;
    };
    options.healthcheck_interval = 20ms;
    Pool<Thing> pool(std::move(options));
    while (!is_checking) delay(1ms);
    pool.close();
    while (pool.count() != 0) yield();
    EXPECT_EQ(static_cast<int>(service.destroyed.size()), service.made);
    expect_balance(pool);
  });
}

TEST(PoolUpkeep, AHotResourceEndsAtItsLifetimeToo) {
  // XC-16
  simulate([](testing::Simulation& simulation) {
    Service service;
    auto options = service.options(1, 1);
    options.max_lifetime = 10s;
    options.jitter = 0;
    Pool<Thing> pool(std::move(options));
    for (int i = 0; i < 100; ++i) {  // never idle for longer than a moment
      auto lease = pool.acquire();
      delay(150ms);
    }
    EXPECT_EQ(simulation.now(), 15s);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    EXPECT_EQ(pool.acquire()->number, 2);
    expect_balance(pool);
    EXPECT_EQ(pool.statistics().age.count(), 1u);
  });
}

TEST(PoolUpkeep, AnIdleResourceEndsAtItsLifetimeAndMinIsKept) {
  // XC-17
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(2, 2);
    options.max_lifetime = 10s;
    options.jitter = 0.5;
    Pool<Thing> pool(std::move(options));
    delay(4900ms);
    EXPECT_EQ(service.destroyed.size(), 0u);  // the jitter takes half of it at most
    delay(5200ms);
    EXPECT_GE(service.destroyed.size(), 2u);
    EXPECT_EQ(pool.idle_count(), 2u);
    expect_balance(pool);
  });
}

TEST(PoolUpkeep, WhatWasMadeTogetherDoesNotGoTogether) {
  simulate([](testing::Simulation& simulation) {
    Service service;
    std::vector<std::chrono::nanoseconds> times;
    auto options = service.options(20, 20);
    options.max_lifetime = 100s;
    options.jitter = 0.1;
    options.destructor = [&](Thing&) { times.push_back(simulation.now()); };
    Pool<Thing> pool(std::move(options));
    delay(101s);
    ASSERT_GE(times.size(), 20u);
    EXPECT_GE(times.front(), 90s);
    EXPECT_GT(times[19] - times[0], 2s);
  });
}

TEST(PoolUpkeep, WhatIsIdleForTooLongGoesButNotBelowMin) {
  // XC-17
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(5, 2);
    options.idle_timeout = 10s;
    options.jitter = 0;
    Pool<Thing> pool(std::move(options));
    {
      std::vector<Lease<Thing>> all;
      for (int i = 0; i < 5; ++i) all.push_back(pool.acquire());
      delay(60s);  // lent is not idle
      EXPECT_EQ(pool.count(), 5u);
    }
    delay(9s);
    EXPECT_EQ(pool.count(), 5u);
    (void)pool.acquire();  // used again: the last one
    delay(2s);
    EXPECT_EQ(pool.count(), 2u);
    delay(100s);
    EXPECT_EQ(pool.count(), 2u);
    EXPECT_EQ(service.made, 5);  // nothing was made to be thrown away
    expect_balance(pool);
  });
}

TEST(PoolUpkeep, ALeaseHeldForTooLongIsReportedOnceWithItsPlace) {
  // PO-29
  simulate([](testing::Simulation&) {
    Service service;
    std::vector<LeaseHolder> leaks;
    auto options = service.options(2);
    options.leak_threshold = 10s;
    options.on_leak = [&](const LeaseHolder& holder) { leaks.push_back(holder); };
    Pool<Thing> pool(std::move(options));
    Lease<Thing> kept;
    unsigned line = 0;
    await(spawn({.name = "forgetful"}, [&] {
      line = __LINE__ + 1;
      kept = pool.acquire();
    }));
    auto other = pool.acquire();
    delay(5s);
    other.release();
    delay(20s);
    ASSERT_EQ(leaks.size(), 1u);
    EXPECT_EQ(leaks[0].acquire_location.line(), line);
    EXPECT_NE(std::string(leaks[0].acquire_location.file()).find("pool_upkeep_test"), std::string::npos);
    EXPECT_TRUE(leaks[0].has_ended);
    EXPECT_GE(leaks[0].held, 10s);
    EXPECT_EQ(pool.statistics().leaks, 1u);
    kept.release();
    kept = pool.acquire();  // the same one again
    delay(20s);
    EXPECT_EQ(leaks.size(), 2u);
  });
}

TEST(PoolUpkeep, AnExpiredOneIsNotLent) {
  simulate([](testing::Simulation& simulation) {
    Service service;
    auto options = service.options(1, 1);
    options.max_lifetime = 10s;
    options.jitter = 0;
    Pool<Thing> pool(std::move(options));
    delay(1s);
    simulation.advance(20s);  // the program was busy
    delay(1ms);
    EXPECT_EQ(pool.acquire()->number, 2);
    yield_times(3);
    expect_balance(pool);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolUpkeepTest);

}  // namespace
}  // namespace trueasync::test
