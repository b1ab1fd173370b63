// A breaker and the runtime: the timer that asks its strategy, cancelled calls, strategies that call back, throw or suspend.
#include "breaker_recorder.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/testing.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class CircuitBreakerOn : public test::ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CircuitBreakerOn);

TEST_P(CircuitBreakerOn, AStrategyIsAskedOnATimerUntilItSaysYes) {
  // CB-01 PO-23
  run([&] {
    const auto strategy = std::make_shared<Recorder>();
    int asked = 0;
    strategy->on_question = [&](CircuitBreaker&) { return ++asked == 3; };
    CircuitBreaker breaker({.strategy = strategy, .recovery_check_interval = 5ms});
    breaker.deactivate();
    while (breaker.state() == BreakerState::inactive) delay(1ms);
    EXPECT_EQ(breaker.state(), BreakerState::recovering);
    EXPECT_EQ(strategy->log, "I???R");
    delay(20ms);
    EXPECT_EQ(asked, 3);  // only while it is inactive
    EXPECT_EQ(scheduler().leak_report().timers, 0u);
  });
}

TEST(CircuitBreaker, QuestionsComeEveryInterval) {
  testing::Simulation simulation;
  simulation.run([&] {
    const auto strategy = std::make_shared<Recorder>();
    std::vector<std::chrono::nanoseconds> times;
    strategy->on_question = [&](CircuitBreaker&) { return times.push_back(simulation.now()), false; };
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

TEST_P(CircuitBreakerOn, ItsTimerKeepsNoProgramAliveAndHidesNoDeadlock) {
  // CB-01 PO-16 PO-23
  const auto strategy = std::make_shared<Recorder>();
  EXPECT_THROW(run([&] {
                 CircuitBreaker breaker({.strategy = strategy, .recovery_check_interval = 1ms});
                 breaker.deactivate();
                 Promise<int> never;
                 await(never.future());
               }),
               DeadlockError);
}

TEST_P(CircuitBreakerOn, MayOutliveItsRuntimeAndGoOnInTheNext) {
  const auto strategy = std::make_shared<Recorder>();
  CircuitBreaker breaker({.strategy = strategy, .recovery_check_interval = 1ms});
  {
    auto first = test::make_runtime(GetParam());
    first->run([&] { breaker.deactivate(); });
  }
  EXPECT_EQ(strategy->log, "I");
  strategy->on_question = [](CircuitBreaker&) { return true; };
  run([&] {
    EXPECT_FALSE(breaker.admit());
    while (breaker.state() == BreakerState::inactive) delay(1ms);
  });
  EXPECT_EQ(strategy->log, "I?R");
}

TEST_P(CircuitBreakerOn, MayGoWhileAQuestionIsDue) {
  run([&] {
    const auto strategy = std::make_shared<Recorder>();
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

TEST_P(CircuitBreakerOn, ACancelledCallIsNeitherSuccessNorFailure) {
  // PO-25
  const auto strategy = std::make_shared<Recorder>();
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

TEST_P(CircuitBreakerOn, AStrategyMayCallBackIntoTheBreaker) {
  const auto strategy = std::make_shared<Recorder>();
  run([&] {
    CircuitBreaker breaker({.strategy = strategy});
    strategy->on_failure = [](CircuitBreaker& of) {
      of.report_failure(nullptr);  // goes no further: it would call itself for ever
      of.report_success();
      of.deactivate();
      EXPECT_TRUE(of.admit());  // it recovers by now: a probe
    };
    strategy->on_change = [](CircuitBreaker& of) {
      if (of.state() == BreakerState::inactive) of.recover();
    };
    expect_failure(breaker);
    EXPECT_EQ(breaker.state(), BreakerState::recovering);
    EXPECT_EQ(breaker.probes_in_flight(), 1u);
    EXPECT_EQ(strategy->log, "fIR");
  });
}

TEST_P(CircuitBreakerOn, AStrategyMayReplaceItself) {
  run([&] {
    auto strategy = std::make_shared<Recorder>();
    const auto next = std::make_shared<Recorder>();
    const std::weak_ptr<Recorder> watch = strategy;
    CircuitBreaker breaker({.strategy = strategy});
    strategy->on_success = [&](CircuitBreaker& of) {
      of.set_strategy(next);
      EXPECT_FALSE(watch.expired());
    };
    strategy.reset();
    breaker.call([] {});
    EXPECT_TRUE(watch.expired());
    breaker.call([] {});
    EXPECT_EQ(next->log, "s");
    breaker.deactivate();
    breaker.set_strategy(nullptr);
    EXPECT_EQ(scheduler().leak_report().timers, 0u);  // nobody is left to be asked
  });
}

TEST_P(CircuitBreakerOn, WhatAStrategyThrowsNeverTouchesTheCall) {
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
  const auto strategy = std::make_shared<Recorder>();
  strategy->on_success = [](CircuitBreaker&) { throw Error("on success"); };
  strategy->on_failure = [](CircuitBreaker&) { throw Error("on failure"); };
  strategy->on_change = [](CircuitBreaker&) { throw Error("on change"); };
  strategy->on_question = [](CircuitBreaker&) -> bool { throw Error("on question"); };
  run(
      [&] {
        CircuitBreaker breaker({.strategy = strategy, .recovery_check_interval = 1ms});
        EXPECT_EQ(breaker.call([] { return 3; }), 3);
        expect_failure(breaker);
        EXPECT_TRUE(breaker.is_active());
        breaker.deactivate();
        while (unhandled.size() < 5) delay(1ms);  // asked again after it threw
        EXPECT_EQ(breaker.state(), BreakerState::inactive);
      },
      options);
  unhandled.resize(5);
  EXPECT_EQ(unhandled,
            (std::vector<std::string>{"on success", "on failure", "on change", "on question", "on question"}));
}

TEST_P(CircuitBreakerOn, AStrategyThatThrowsDuringUnwindingLeavesTheErrorInFlightAlone) {
  // PO-14
  RuntimeOptions options;
  options.on_unhandled = [](const Coroutine&, std::exception_ptr) { return true; };
  const auto strategy = std::make_shared<Recorder>();
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

TEST_P(CircuitBreakerOn, AStrategyThatWantsToSuspendIsToldNotTo) {
  std::string told;
  RuntimeOptions options;
  options.on_unhandled = [&](const Coroutine&, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const MisuseError& misuse) {
      told = misuse.what();
    }
    return true;
  };
  run(
      [&] {
        const auto strategy = std::make_shared<Recorder>();
        strategy->on_success = [](CircuitBreaker&) { delay(1ms); };
        CircuitBreaker breaker({.strategy = strategy});
        breaker.call([] {});
        delay(1ms);  // others may, afterwards
      },
      options);
  EXPECT_NE(told.find("strategy of a circuit breaker"), std::string::npos) << told;
}

TEST_P(CircuitBreakerOn, TheFirstErrorOfAStrategyNobodyDealsWithEndsTheProgram) {
  EXPECT_THROW(run([&] {
                 const auto strategy = std::make_shared<Recorder>();
                 strategy->on_success = [](CircuitBreaker&) { throw Error("broken strategy"); };
                 CircuitBreaker breaker({.strategy = strategy});
                 breaker.call([] {});
               }),
               Error);
}

}  // namespace
}  // namespace trueasync
