// Circuit breaker and runtime: recovery timer, cancelled calls, strategies that call the breaker, throw or suspend.
#include "breaker_recorder.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/testing.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class CircuitBreakerTest : public test::ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CircuitBreakerTest);

// CB-01 PO-23
TEST_P(CircuitBreakerTest, TimerAsksStrategyUntilItRecovers) {
  run([&] {
    const auto strategy = std::make_shared<RecordingStrategy>();
    int asked = 0;
    strategy->on_recovery_check = [&](CircuitBreaker&) { return ++asked == 3; };
    CircuitBreaker breaker({.strategy = strategy, .recovery_check_interval = 5ms});
    breaker.deactivate();
    while (breaker.state() == BreakerState::inactive) delay(1ms);
    EXPECT_EQ(breaker.state(), BreakerState::recovering);
    EXPECT_EQ(strategy->log, "I???R");
    delay(20ms);
    EXPECT_EQ(asked, 3);  // asked only while the breaker is inactive
    EXPECT_EQ(scheduler().leak_report().timers, 0u);
  });
}

TEST(CircuitBreaker, StrategyIsAskedEveryCheckInterval) {
  testing::Simulation simulation;
  simulation.run([&] {
    const auto strategy = std::make_shared<RecordingStrategy>();
    std::vector<std::chrono::nanoseconds> times;
    strategy->on_recovery_check = [&](CircuitBreaker&) { return times.push_back(simulation.now()), false; };
    CircuitBreaker breaker({.strategy = strategy, .recovery_check_interval = 2s});
    delay(1s);
    breaker.deactivate();
    delay(7s);
    EXPECT_EQ(times, (std::vector<std::chrono::nanoseconds>{3s, 5s, 7s}));
    breaker.activate();
    delay(10s);
    EXPECT_EQ(times.size(), 3u);
  });
}

// CB-01 PO-16 PO-23
TEST_P(CircuitBreakerTest, RecoveryTimerDoesNotPreventDeadlockDetection) {
  const auto strategy = std::make_shared<RecordingStrategy>();
  EXPECT_THROW(run([&] {
                 CircuitBreaker breaker({.strategy = strategy, .recovery_check_interval = 1ms});
                 breaker.deactivate();
                 Promise<int> never;
                 await(never.future());
               }),
               DeadlockError);
}

TEST_P(CircuitBreakerTest, OutlivesRuntimeAndRecoversInNextRuntime) {
  const auto strategy = std::make_shared<RecordingStrategy>();
  CircuitBreaker breaker({.strategy = strategy, .recovery_check_interval = 1ms});
  {
    auto first = test::make_runtime(GetParam());
    first->run([&] { breaker.deactivate(); });
  }
  EXPECT_EQ(strategy->log, "I");
  strategy->on_recovery_check = [](CircuitBreaker&) { return true; };
  run([&] {
    EXPECT_FALSE(breaker.admit());
    while (breaker.state() == BreakerState::inactive) delay(1ms);
  });
  EXPECT_EQ(strategy->log, "I?R");
}

TEST_P(CircuitBreakerTest, DestroyedWhileRecoveryCheckIsDue) {
  run([&] {
    const auto strategy = std::make_shared<RecordingStrategy>();
    for (int i = 0; i < 20; ++i) {
      auto breaker =
          std::make_unique<CircuitBreaker>(BreakerOptions{.strategy = strategy, .recovery_check_interval = 1ms});
      breaker->deactivate();
      delay(std::chrono::microseconds(100 * i));
      breaker.reset();
    }
    EXPECT_EQ(scheduler().leak_report().timers, 0u);
    EXPECT_EQ(strategy.use_count(), 1);
  });
}

// PO-25
TEST_P(CircuitBreakerTest, CancelledCallIsNeitherSuccessNorFailure) {
  const auto strategy = std::make_shared<RecordingStrategy>();
  run([&] {
    CircuitBreaker breaker({.strategy = strategy});
    breaker.deactivate();
    breaker.recover();
    auto probe = spawn([&] { breaker.call([] { delay(1h); }); });
    yield();
    EXPECT_THROW(breaker.call([] {}), ServiceUnavailableError);
    probe.cancel();
    EXPECT_THROW(await(probe), Cancelled);
    EXPECT_EQ(breaker.probes_in_flight(), 0u);
    EXPECT_EQ(strategy->log, "IR");
    breaker.call([] {});
  });
  EXPECT_EQ(strategy->log, "IRs");
}

TEST_P(CircuitBreakerTest, StrategyMayCallBreaker) {
  const auto strategy = std::make_shared<RecordingStrategy>();
  run([&] {
    CircuitBreaker breaker({.strategy = strategy});
    strategy->on_failure = [](CircuitBreaker& target) {
      target.report_failure(nullptr);  // not passed to the strategy: it would recurse
      target.report_success();
      target.deactivate();
      EXPECT_TRUE(target.admit());  // the breaker is recovering: a probe
    };
    strategy->on_change = [](CircuitBreaker& target) {
      if (target.state() == BreakerState::inactive) target.recover();
    };
    expect_failure(breaker);
    EXPECT_EQ(breaker.state(), BreakerState::recovering);
    EXPECT_EQ(breaker.probes_in_flight(), 1u);
    EXPECT_EQ(strategy->log, "fIR");
  });
}

TEST_P(CircuitBreakerTest, StrategyMayReplaceItself) {
  run([&] {
    auto strategy = std::make_shared<RecordingStrategy>();
    const auto next = std::make_shared<RecordingStrategy>();
    const std::weak_ptr<RecordingStrategy> watch = strategy;
    CircuitBreaker breaker({.strategy = strategy});
    strategy->on_success = [&](CircuitBreaker& target) {
      target.set_strategy(next);
      EXPECT_FALSE(watch.expired());
    };
    strategy.reset();
    breaker.call([] {});
    EXPECT_TRUE(watch.expired());
    breaker.call([] {});
    EXPECT_EQ(next->log, "s");
    breaker.deactivate();
    breaker.set_strategy(nullptr);
    EXPECT_EQ(scheduler().leak_report().timers, 0u);  // no strategy to ask
  });
}

TEST_P(CircuitBreakerTest, ErrorOfStrategyDoesNotAffectCall) {
  std::vector<std::string> unhandled;
  RuntimeOptions options;
  options.on_unhandled = [&](const Coroutine&, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& known) {
      unhandled.push_back(known.what());
    }
    return true;
  };
  const auto strategy = std::make_shared<RecordingStrategy>();
  strategy->on_success = [](CircuitBreaker&) { throw Error("on success"); };
  strategy->on_failure = [](CircuitBreaker&) { throw Error("on failure"); };
  strategy->on_change = [](CircuitBreaker&) { throw Error("on change"); };
  strategy->on_recovery_check = [](CircuitBreaker&) -> bool { throw Error("on recovery check"); };
  run(
      [&] {
        CircuitBreaker breaker({.strategy = strategy, .recovery_check_interval = 1ms});
        EXPECT_EQ(breaker.call([] { return 3; }), 3);
        expect_failure(breaker);
        EXPECT_TRUE(breaker.is_active());
        breaker.deactivate();
        while (unhandled.size() < 5) delay(1ms);  // the strategy is asked again after it threw
        EXPECT_EQ(breaker.state(), BreakerState::inactive);
      },
      options);
  unhandled.resize(5);
  EXPECT_EQ(unhandled, (std::vector<std::string>{"on success", "on failure", "on change", "on recovery check",
                                                 "on recovery check"}));
}

// PO-14
TEST_P(CircuitBreakerTest, ErrorOfStrategyDuringUnwindingKeepsOriginalError) {
  RuntimeOptions options;
  options.on_unhandled = [](const Coroutine&, std::exception_ptr) { return true; };
  const auto strategy = std::make_shared<RecordingStrategy>();
  strategy->on_success = [](CircuitBreaker&) { throw Error("strategy"); };
  run(
      [&] {
        CircuitBreaker breaker({.strategy = strategy});
        struct AtEnd {
          CircuitBreaker& breaker;
          ~AtEnd() { breaker.report_success(); }
        };
        try {
          AtEnd end{breaker};
          throw std::runtime_error("in flight");
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), "in flight");
        }
      },
      options);
  EXPECT_EQ(strategy->log, "s");
}

TEST_P(CircuitBreakerTest, SuspendingInStrategyIsMisuse) {
  std::string message;
  RuntimeOptions options;
  options.on_unhandled = [&](const Coroutine&, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const MisuseError& misuse) {
      message = misuse.what();
    }
    return true;
  };
  run(
      [&] {
        const auto strategy = std::make_shared<RecordingStrategy>();
        strategy->on_success = [](CircuitBreaker&) { delay(1ms); };
        CircuitBreaker breaker({.strategy = strategy});
        breaker.call([] {});
        delay(1ms);  // suspending is possible again after the call
      },
      options);
  EXPECT_NE(message.find("strategy of a circuit breaker"), std::string::npos) << message;
}

TEST_P(CircuitBreakerTest, UnhandledErrorOfStrategyEndsRun) {
  EXPECT_THROW(run([&] {
                 const auto strategy = std::make_shared<RecordingStrategy>();
                 strategy->on_success = [](CircuitBreaker&) { throw Error("broken strategy"); };
                 CircuitBreaker breaker({.strategy = strategy});
                 breaker.call([] {});
               }),
               Error);
}

}  // namespace
}  // namespace trueasync
