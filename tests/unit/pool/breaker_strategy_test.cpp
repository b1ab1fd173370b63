#include "trueasync/pool/circuit_breaker.hpp"

#include "support/reactor_test.hpp"
#include "trueasync/testing.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class BreakerStrategyTest : public test::ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(BreakerStrategyTest);

constexpr BreakerBackoff kPause{.initial = 10s, .max = 40s, .factor = 2, .jitter = 0};

std::shared_ptr<BreakerStrategy> consecutive(std::uint32_t failures, BreakerBackoff pause = kPause) {
  return std::make_shared<ConsecutiveFailures>(ConsecutiveFailuresOptions{.failures = failures, .backoff = pause});
}

void succeed(CircuitBreaker& breaker, int times = 1) {
  for (int i = 0; i < times; ++i) breaker.call([] {});
}

void fail(CircuitBreaker& breaker, int times = 1) {
  for (int i = 0; i < times; ++i) EXPECT_THROW(breaker.call([] { throw Error("down"); }), Error);
}

// Returns how long the breaker stays inactive from now on, rounded to seconds.
std::chrono::seconds time_inactive(testing::Simulation& simulation, CircuitBreaker& breaker) {
  const auto start = simulation.now();
  while (breaker.state() == BreakerState::inactive) delay(100ms);
  return std::chrono::round<std::chrono::seconds>(simulation.now() - start);
}

// CB-01
TEST(ConsecutiveFailures, OnlyConsecutiveFailuresDeactivate) {
  CircuitBreaker breaker({.strategy = consecutive(3)});
  for (int i = 0; i < 10; ++i) {
    fail(breaker, 2);
    succeed(breaker);
  }
  EXPECT_TRUE(breaker.is_active());
  fail(breaker, 3);
  EXPECT_EQ(breaker.state(), BreakerState::inactive);
  EXPECT_THROW(breaker.call([] {}), ServiceUnavailableError);
}

// CB-01 CB-02 PO-23 PO-24
TEST(ConsecutiveFailures, RecoversAfterBackoffAndActivatesAfterAllRounds) {
  testing::Simulation simulation;
  simulation.run([&] {
    CircuitBreaker breaker({.strategy = consecutive(1), .probes = 1, .rounds = 3});
    fail(breaker);
    EXPECT_EQ(time_inactive(simulation, breaker), 10s);
    EXPECT_EQ(breaker.state(), BreakerState::recovering);
    succeed(breaker, 6);
    EXPECT_EQ(breaker.state(), BreakerState::recovering);
    succeed(breaker);  // 1 + 2 + 4
    EXPECT_TRUE(breaker.is_active());
  });
}

// CB-01
TEST(ConsecutiveFailures, BackoffGrowsAfterEachFailedRecovery) {
  testing::Simulation simulation;
  simulation.run([&] {
    CircuitBreaker breaker({.strategy = consecutive(1), .rounds = 1});
    for (const auto pause : {10s, 20s, 40s, 40s}) {
      fail(breaker);
      EXPECT_EQ(time_inactive(simulation, breaker), pause);
    }
    succeed(breaker);
    EXPECT_TRUE(breaker.is_active());
    fail(breaker);
    EXPECT_EQ(time_inactive(simulation, breaker), 10s);  // the activation reset the backoff
  });
}

TEST(ConsecutiveFailures, ManualStateChangeResetsCount) {
  CircuitBreaker breaker({.strategy = consecutive(3)});
  fail(breaker, 2);
  breaker.deactivate();
  breaker.activate();
  fail(breaker, 2);
  EXPECT_TRUE(breaker.is_active());
}

TEST(ConsecutiveFailures, FailuresWhileInactiveDoNotExtendBackoff) {
  testing::Simulation simulation;
  simulation.run([&] {
    CircuitBreaker breaker({.strategy = consecutive(1)});
    fail(breaker);
    delay(5s);
    breaker.report_failure(nullptr);  // a report of a health check
    EXPECT_EQ(time_inactive(simulation, breaker), 5s);
  });
}

// CB-02 PO-25
TEST(ConsecutiveFailures, FailedHealthCheckEndsRecovery) {
  testing::Simulation simulation;
  simulation.run([&] {
    CircuitBreaker breaker({.strategy = consecutive(5)});
    breaker.deactivate();
    time_inactive(simulation, breaker);
    EXPECT_EQ(breaker.state(), BreakerState::recovering);
    breaker.report_failure(std::make_exception_ptr(Error("health check")));
    EXPECT_EQ(breaker.state(), BreakerState::inactive);
  });
}

// CB-01
TEST(FailureRate, RateAppliesFromMinimumCalls) {
  testing::Simulation simulation;
  simulation.run([&] {
    const FailureRateOptions options{.rate = 0.5, .minimum_calls = 10, .window = 10s};
    CircuitBreaker breaker({.strategy = std::make_shared<FailureRate>(options)});
    fail(breaker, 9);
    EXPECT_TRUE(breaker.is_active());
    succeed(breaker);  // the tenth call; nine of ten failed
    EXPECT_EQ(breaker.state(), BreakerState::inactive);
  });
}

// CB-01
TEST(FailureRate, DeactivatesAtRateNotBelow) {
  testing::Simulation simulation;
  simulation.run([&] {
    const FailureRateOptions options{.rate = 0.5, .minimum_calls = 4, .window = 10s};
    CircuitBreaker breaker({.strategy = std::make_shared<FailureRate>(options)});
    succeed(breaker, 11);
    fail(breaker, 10);
    EXPECT_TRUE(breaker.is_active());
    fail(breaker);
    EXPECT_EQ(breaker.state(), BreakerState::inactive);
  });
}

// CB-01
TEST(FailureRate, CallsOutsideWindowDoNotCount) {
  testing::Simulation simulation;
  simulation.run([&] {
    const FailureRateOptions options{.rate = 0.5, .minimum_calls = 10, .window = 10s};
    CircuitBreaker breaker({.strategy = std::make_shared<FailureRate>(options)});
    fail(breaker, 9);
    delay(11s);
    fail(breaker, 9);
    EXPECT_TRUE(breaker.is_active());
    delay(5s);
    fail(breaker);  // the nine calls are still in the window
    EXPECT_EQ(breaker.state(), BreakerState::inactive);
  });
}

TEST(FailureRate, WindowSlidesByBuckets) {
  testing::Simulation simulation;
  simulation.run([&] {
    const FailureRateOptions options{.rate = 1, .minimum_calls = 100, .window = 10s, .buckets = 10};
    CircuitBreaker breaker({.strategy = std::make_shared<FailureRate>(options)});
    // Ten calls per second: the window contains a hundred calls only when all buckets are full.
    int calls = 0;
    while (breaker.is_active() && calls < 1000) {
      fail(breaker);
      ++calls;
      delay(100ms);
    }
    EXPECT_GE(calls, 91);
    EXPECT_LE(calls, 110);
  });
}

TEST(BreakerStrategies, InvalidOptionsAreMisuse) {
  EXPECT_THROW(ConsecutiveFailures({.failures = 0}), MisuseError);
  EXPECT_THROW(ConsecutiveFailures({.backoff = {.initial = 0s}}), MisuseError);
  EXPECT_THROW(ConsecutiveFailures({.backoff = {.initial = 2s, .max = 1s}}), MisuseError);
  EXPECT_THROW(FailureRate({.rate = 0}), MisuseError);
  EXPECT_THROW(FailureRate({.rate = 1.1}), MisuseError);
  EXPECT_THROW(FailureRate({.minimum_calls = 0}), MisuseError);
  EXPECT_THROW(FailureRate({.buckets = 0}), MisuseError);
  EXPECT_THROW(FailureRate({.window = 5ns, .buckets = 10}), MisuseError);
}

TEST(BreakerStrategies, JitterShortensBackoff) {
  testing::Simulation simulation;
  simulation.run([&] {
    bool differed = false;
    for (int i = 0; i < 20; ++i) {
      CircuitBreaker breaker({.strategy = consecutive(1, {.initial = 100s, .max = 100s, .factor = 1, .jitter = 0.5})});
      fail(breaker);
      const auto pause = time_inactive(simulation, breaker);
      EXPECT_LE(pause, 100s);
      EXPECT_GE(pause, 50s);
      differed |= pause < 99s;
    }
    EXPECT_TRUE(differed);
  });
}

// CB-01 CB-02 PO-23 PO-24
TEST_P(BreakerStrategyTest, ServiceIsProbedRarelyUntilItRecovers) {
  run([&] {
    bool is_up = false;
    int asked = 0;
    int max_concurrent = 0;
    int concurrent = 0;
    const auto service = [&] {
      ++asked;
      max_concurrent = std::max(max_concurrent, ++concurrent);
      delay(1ms);
      --concurrent;
      if (!is_up) throw Error("down");
    };
    CircuitBreaker breaker(
        {.strategy = consecutive(5, {.initial = 4ms, .max = 4ms}), .probes = 1, .recovery_check_interval = 1ms});
    std::vector<Task<void>> callers;
    for (int i = 0; i < 20; ++i) {
      callers.push_back(spawn([&] {
        while (!is_up || !breaker.is_active()) {
          try {
            breaker.call(service);
          } catch (const Error&) {
          }
          delay(1ms);
        }
      }));
    }
    while (breaker.is_active()) delay(1ms);
    while (concurrent > 0) delay(1ms);  // calls that were admitted before
    asked = max_concurrent = 0;
    while (breaker.rejected() < 500) delay(1ms);
    EXPECT_LE(max_concurrent, 1);
    EXPECT_LT(asked, 100);
    is_up = true;
    for (auto& caller : callers) await(caller);
    EXPECT_TRUE(breaker.is_active());
  });
}

}  // namespace
}  // namespace trueasync
