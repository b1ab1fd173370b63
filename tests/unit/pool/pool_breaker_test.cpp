// The pool and its circuit breaker.
#include "pool_support.hpp"

#include "trueasync/breaker_strategy.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolBreakerTest : public ReactorTest {};

// Writes down what it is told.
struct Listener : BreakerStrategy {
  int successes = 0;
  std::vector<std::string> failures;
  bool wants_recovery = false;

  void report_success(CircuitBreaker&) override { ++successes; }
  void report_failure(CircuitBreaker&, const std::exception_ptr& error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& known) {
      failures.push_back(known.what());
    }
  }
  bool should_recover(CircuitBreaker&) override { return wants_recovery; }
};

TEST_P(PoolBreakerTest, AnInactiveOneRefusesAtOnce) {
  // POOL-02 CB-01
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(2, 1));
    pool.breaker().deactivate();
    EXPECT_THROW((void)pool.acquire(), ServiceUnavailableError);
    EXPECT_THROW((void)pool.acquire(1h), ServiceUnavailableError);
    EXPECT_THROW((void)pool.try_acquire(), ServiceUnavailableError);
    pool.breaker().activate();
    EXPECT_EQ(pool.acquire()->number, 1);
    EXPECT_EQ(pool.statistics().acquired, 1u);
  });
}

TEST_P(PoolBreakerTest, TheStrategyHearsOfReleasesCreationsAndChecks) {
  // POOL-03 PO-19 PO-25 CB-02
  run([&] {
    Service service;
    auto listener = std::make_shared<Listener>();
    auto options = service.options(2);
    options.before_release = [](Thing& thing) { return thing.is_alive; };
    options.healthcheck = [](Thing& thing) -> bool {
      if (thing.number == 3) throw std::runtime_error("no answer");
      return true;
    };
    options.healthcheck_interval = 2ms;
    options.breaker.strategy = listener;
    options.backoff_initial = 1ms;
    Pool<Thing> pool(std::move(options));
    pool.acquire().release();
    EXPECT_EQ(listener->successes, 1);
    auto lease = pool.acquire();
    lease->is_alive = false;
    lease.release();
    ASSERT_EQ(listener->failures.size(), 1u);
    EXPECT_NE(listener->failures[0].find("came back"), std::string::npos);
    service.is_down = true;
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);
    ASSERT_EQ(listener->failures.size(), 2u);
    EXPECT_EQ(listener->failures[1], "refused");
    service.is_down = false;
    lease = pool.acquire();
    EXPECT_THROW(
        {
          auto other = pool.acquire();  // number 3
          auto third = pool.acquire(1ms);
        },
        TimeoutError);
    EXPECT_EQ(listener->failures.size(), 2u);  // that a caller ran out of time says nothing
    while (listener->failures.size() < 3) delay(1ms);
    EXPECT_EQ(listener->failures[2], "no answer");
    lease.release();
    EXPECT_EQ(listener->successes, 3);
  });
}

TEST_P(PoolBreakerTest, DeactivatingFailsWhoWaitsOrNotAsDeclared) {
  // PO-26 CB-03
  run([&] {
    for (const OnDeactivate policy : {OnDeactivate::fail_waiters, OnDeactivate::keep_waiters}) {
      Service service;
      auto options = service.options(1, 1);
      options.on_deactivate = policy;
      Pool<Thing> pool(std::move(options));
      auto lease = pool.acquire();
      bool was_refused = false;
      auto waiter = spawn([&] {
        try {
          (void)pool.acquire();
        } catch (const ServiceUnavailableError&) {
          was_refused = true;
        }
      });
      yield();
      pool.breaker().deactivate();
      if (policy == OnDeactivate::keep_waiters) {
        yield_times(2);
        EXPECT_EQ(pool.statistics().waiting, 1u);
        lease.release();
      }
      await(waiter);
      EXPECT_EQ(was_refused, policy == OnDeactivate::fail_waiters);
      EXPECT_EQ(pool.statistics().waiting, 0u);
    }
  });
}

TEST_P(PoolBreakerTest, WhileItRecoversOnlyProbesPass) {
  // PO-24 CB-02
  run([&] {
    Service service;
    auto options = service.options(4, 4);
    options.breaker.probes = 1;
    Pool<Thing> pool(std::move(options));
    pool.breaker().deactivate();
    pool.breaker().recover();
    auto probe = pool.acquire();
    EXPECT_EQ(pool.breaker().probes_in_flight(), 1u);
    EXPECT_THROW((void)pool.acquire(), ServiceUnavailableError);
    EXPECT_THROW((void)pool.try_acquire(), ServiceUnavailableError);
    probe.release();
    EXPECT_EQ(pool.breaker().probes_in_flight(), 0u);
    (void)pool.acquire();
    expect_balance(pool);
  });
}

TEST_P(PoolBreakerTest, AProbeThatComesToNothingGivesItsPermitBack) {
  // PO-24
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.on_deactivate = OnDeactivate::keep_waiters;
    Pool<Thing> pool(std::move(options));
    auto lease = pool.acquire();
    pool.breaker().deactivate();
    pool.breaker().recover();
    EXPECT_THROW((void)pool.acquire(1ms), TimeoutError);
    EXPECT_EQ(pool.breaker().probes_in_flight(), 0u);
    auto cancelled = spawn([&] { (void)pool.acquire(); });
    yield();
    EXPECT_EQ(pool.breaker().probes_in_flight(), 1u);
    cancelled.cancel();
    yield();
    EXPECT_EQ(pool.breaker().probes_in_flight(), 0u);
    lease.release();  // taken before: it counts as no probe
    EXPECT_EQ(pool.acquire()->number, 1);
  });
}

TEST(PoolBreaker, OpensByItselfAndComesBackByItself) {
  // PO-23 PO-25 CB-01
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    Service service;
    auto options = service.options(2);
    options.breaker.strategy = std::make_shared<ConsecutiveFailures>();
    options.backoff_initial = 1ms;
    options.backoff_max = 1ms;
    Pool<Thing> pool(std::move(options));
    service.is_down = true;
    int refused = 0;
    for (int i = 0; i < 100 && refused == 0; ++i) {
      try {
        (void)pool.acquire();
      } catch (const ServiceUnavailableError&) {
        ++refused;
      } catch (const std::runtime_error&) {
      }
    }
    EXPECT_EQ(refused, 1);
    EXPECT_FALSE(pool.breaker().is_active());
    service.is_down = false;
    for (int i = 0; i < 1000 && !pool.breaker().is_active(); ++i) {
      delay(100ms);
      try {
        (void)pool.acquire();
      } catch (const ServiceUnavailableError&) {
      }
    }
    EXPECT_TRUE(pool.breaker().is_active());
    expect_balance(pool);
  });
}

TEST(PoolBreaker, MinIsFilledUpAgainOnceItIsActive) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    Service service;
    Pool<Thing> pool(service.options(2, 2));
    auto lease = pool.acquire();
    pool.breaker().deactivate();
    lease.discard();
    delay(10s);
    EXPECT_EQ(pool.count(), 1u);  // the service is left alone
    pool.breaker().activate();
    delay(1ms);
    EXPECT_EQ(pool.count(), 2u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolBreakerTest);

}  // namespace
}  // namespace trueasync::test
