// The pool and its circuit breaker.
#include "pool_support.hpp"

#include "trueasync/pool/circuit_breaker.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolBreakerTest : public ReactorTest {};

// Records the reported outcomes.
struct OutcomeRecorder : BreakerStrategy {
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

// POOL-02 CB-01
TEST_P(PoolBreakerTest, InactiveBreakerRejectsAcquireImmediately) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(2, 1));
    pool.breaker().deactivate();
    EXPECT_THROW((void)pool.acquire(), ServiceUnavailableError);
    EXPECT_THROW((void)pool.acquire(1h), ServiceUnavailableError);
    EXPECT_THROW((void)pool.try_acquire(), ServiceUnavailableError);
    pool.breaker().activate();
    EXPECT_EQ(pool.acquire()->number, 1);
    EXPECT_EQ(pool.statistics().acquired, 1u);
  });
}

// POOL-03 PO-19 PO-25 CB-02
TEST_P(PoolBreakerTest, StrategyGetsReleasesCreationsAndHealthChecks) {
  run([&] {
    Service service;
    auto recorder = std::make_shared<OutcomeRecorder>();
    auto options = service.options(2);
    options.before_release = [](Connection& connection) { return connection.is_healthy; };
    options.healthcheck = [](Connection& connection) -> bool {
      if (connection.number == 3) throw std::runtime_error("no answer");
      return true;
    };
    options.healthcheck_interval = 2ms;
    options.breaker.strategy = recorder;
    options.backoff_initial = 1ms;
    Pool<Connection> pool(std::move(options));
    pool.acquire().release();
    EXPECT_EQ(recorder->successes, 1);
    auto lease = pool.acquire();
    lease->is_healthy = false;
    lease.release();
    ASSERT_EQ(recorder->failures.size(), 1u);
    EXPECT_NE(recorder->failures[0].find("rejected on release"), std::string::npos);
    service.is_down = true;
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);
    ASSERT_EQ(recorder->failures.size(), 2u);
    EXPECT_EQ(recorder->failures[1], "refused");
    service.is_down = false;
    lease = pool.acquire();
    EXPECT_THROW(
        {
          auto other = pool.acquire();  // connection 3
          auto third = pool.acquire(1ms);
        },
        TimeoutError);
    EXPECT_EQ(recorder->failures.size(), 2u);  // a timeout of a caller is not a failure of the service
    while (recorder->failures.size() < 3) delay(1ms);
    EXPECT_EQ(recorder->failures[2], "no answer");
    lease.release();
    EXPECT_EQ(recorder->successes, 3);
  });
}

// PO-26 CB-03
TEST_P(PoolBreakerTest, DeactivationFailsOrKeepsWaitersByOption) {
  run([&] {
    for (const OnDeactivate policy : {OnDeactivate::fail_waiters, OnDeactivate::keep_waiters}) {
      Service service;
      auto options = service.options(1, 1);
      options.on_deactivate = policy;
      Pool<Connection> pool(std::move(options));
      auto lease = pool.acquire();
      bool was_rejected = false;
      auto waiter = spawn([&] {
        try {
          (void)pool.acquire();
        } catch (const ServiceUnavailableError&) {
          was_rejected = true;
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
      EXPECT_EQ(was_rejected, policy == OnDeactivate::fail_waiters);
      EXPECT_EQ(pool.statistics().waiting, 0u);
    }
  });
}

// PO-24 CB-02
TEST_P(PoolBreakerTest, RecoveringBreakerAdmitsProbesOnly) {
  run([&] {
    Service service;
    auto options = service.options(4, 4);
    options.breaker.probes = 1;
    Pool<Connection> pool(std::move(options));
    pool.breaker().deactivate();
    pool.breaker().recover();
    auto probe = pool.acquire();
    EXPECT_EQ(pool.breaker().probes_in_flight(), 1u);
    EXPECT_THROW((void)pool.acquire(), ServiceUnavailableError);
    EXPECT_THROW((void)pool.try_acquire(), ServiceUnavailableError);
    probe.release();
    EXPECT_EQ(pool.breaker().probes_in_flight(), 0u);
    (void)pool.acquire();
    expect_consistent_counts(pool);
  });
}

// PO-24
TEST_P(PoolBreakerTest, ProbeWithoutResourceReleasesPermit) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.on_deactivate = OnDeactivate::keep_waiters;
    Pool<Connection> pool(std::move(options));
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
    lease.release();  // acquired before the recovery: not a probe
    EXPECT_EQ(pool.acquire()->number, 1);
  });
}

// PO-23 PO-25 CB-01
TEST(PoolBreaker, StrategyDeactivatesAndRecovers) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    Service service;
    auto options = service.options(2);
    options.breaker.strategy = std::make_shared<ConsecutiveFailures>();
    options.backoff_initial = 1ms;
    options.backoff_max = 1ms;
    Pool<Connection> pool(std::move(options));
    service.is_down = true;
    int rejected = 0;
    for (int i = 0; i < 100 && rejected == 0; ++i) {
      try {
        (void)pool.acquire();
      } catch (const ServiceUnavailableError&) {
        ++rejected;
      } catch (const std::runtime_error&) {
      }
    }
    EXPECT_EQ(rejected, 1);
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
    expect_consistent_counts(pool);
  });
}

TEST(PoolBreaker, ActivationReplenishesMin) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    Service service;
    Pool<Connection> pool(service.options(2, 2));
    auto lease = pool.acquire();
    pool.breaker().deactivate();
    lease.discard();
    delay(10s);
    EXPECT_EQ(pool.count(), 1u);  // no creation while the breaker is inactive
    pool.breaker().activate();
    delay(1ms);
    EXPECT_EQ(pool.count(), 2u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolBreakerTest);

}  // namespace
}  // namespace trueasync::test
