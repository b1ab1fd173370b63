#include "trueasync/breaker_strategy.hpp"

#include "support/reactor_test.hpp"
#include "trueasync/testing.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class BreakerStrategyOn : public test::ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(BreakerStrategyOn);

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

// How long it stays inactive from now on, to a second.
std::chrono::seconds time_inactive(testing::Simulation& simulation, CircuitBreaker& breaker) {
  const auto start = simulation.now();
  while (breaker.state() == BreakerState::inactive) delay(100ms);
  return std::chrono::round<std::chrono::seconds>(simulation.now() - start);
}

TEST(ConsecutiveFailures, OnlyFailuresInARowDeactivate) {
  // CB-01
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

TEST(ConsecutiveFailures, RecoversAfterItsPauseAndIsActiveAfterItsRamp) {
  // CB-01 CB-02 PO-23 PO-24
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

TEST(ConsecutiveFailures, WaitsLongerAfterEachRecoveryThatFailed) {
  // CB-01
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
    EXPECT_EQ(time_inactive(simulation, breaker), 10s);  // all is well again in between
  });
}

TEST(ConsecutiveFailures, CountsAnewAfterAChangeByHand) {
  CircuitBreaker breaker({.strategy = consecutive(3)});
  fail(breaker, 2);
  breaker.deactivate();
  breaker.activate();
  fail(breaker, 2);
  EXPECT_TRUE(breaker.is_active());
}

TEST(ConsecutiveFailures, FailuresWhileInactiveDoNotProlongThePause) {
  testing::Simulation simulation;
  simulation.run([&] {
    CircuitBreaker breaker({.strategy = consecutive(1)});
    fail(breaker);
    delay(5s);
    breaker.report_failure(nullptr);  // a health check goes on
    EXPECT_EQ(time_inactive(simulation, breaker), 5s);
  });
}

TEST(ConsecutiveFailures, AHealthCheckThatFailsEndsARecovery) {
  // CB-02 PO-25
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

TEST(FailureRate, NeedsItsMinimumOfCalls) {
  // CB-01
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

TEST(FailureRate, DeactivatesAtItsRateAndNotBelow) {
  // CB-01
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

TEST(FailureRate, ForgetsWhatHasLeftTheWindow) {
  // CB-01
  testing::Simulation simulation;
  simulation.run([&] {
    const FailureRateOptions options{.rate = 0.5, .minimum_calls = 10, .window = 10s};
    CircuitBreaker breaker({.strategy = std::make_shared<FailureRate>(options)});
    fail(breaker, 9);
    delay(11s);
    fail(breaker, 9);
    EXPECT_TRUE(breaker.is_active());
    delay(5s);
    fail(breaker);  // the nine are still in it
    EXPECT_EQ(breaker.state(), BreakerState::inactive);
  });
}

TEST(FailureRate, TheWindowSlidesByBuckets) {
  testing::Simulation simulation;
  simulation.run([&] {
    const FailureRateOptions options{.rate = 1, .minimum_calls = 100, .window = 10s, .buckets = 10};
    CircuitBreaker breaker({.strategy = std::make_shared<FailureRate>(options)});
    // Ten a second: the window never holds more than a hundred, and only when all of its buckets are full.
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

TEST(BreakerStrategies, RefuseOptionsThatCannotWork) {
  EXPECT_THROW(ConsecutiveFailures({.failures = 0}), MisuseError);
  EXPECT_THROW(ConsecutiveFailures({.backoff = {.initial = 0s}}), MisuseError);
  EXPECT_THROW(ConsecutiveFailures({.backoff = {.initial = 2s, .max = 1s}}), MisuseError);
  EXPECT_THROW(FailureRate({.rate = 0}), MisuseError);
  EXPECT_THROW(FailureRate({.rate = 1.1}), MisuseError);
  EXPECT_THROW(FailureRate({.minimum_calls = 0}), MisuseError);
  EXPECT_THROW(FailureRate({.buckets = 0}), MisuseError);
  EXPECT_THROW(FailureRate({.window = 5ns, .buckets = 10}), MisuseError);
}

TEST(BreakerStrategies, JitterShortensThePause) {
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

TEST_P(BreakerStrategyOn, AServiceThatComesBackIsServedAgainAndWasSpared) {
  // CB-01 CB-02 PO-23 PO-24
  run([&] {
    bool is_up = false;
    int asked = 0;
    int most_at_once = 0;
    int at_once = 0;
    const auto service = [&] {
      ++asked;
      most_at_once = std::max(most_at_once, ++at_once);
      delay(1ms);
      --at_once;
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
    while (at_once > 0) delay(1ms);  // who had been let in before
    asked = most_at_once = 0;
    while (breaker.rejected() < 500) delay(1ms);
    EXPECT_LE(most_at_once, 1);
    EXPECT_LT(asked, 100);
    is_up = true;
    for (auto& caller : callers) await(caller);
    EXPECT_TRUE(breaker.is_active());
  });
}

}  // namespace
}  // namespace trueasync
