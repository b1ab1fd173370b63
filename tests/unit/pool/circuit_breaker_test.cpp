#include "trueasync/pool/circuit_breaker.hpp"

#include <random>

#include "breaker_recorder.hpp"
#include "trueasync/testing.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

// CB-01
TEST(CircuitBreaker, ManualStateChangesFollowTransitions) {
  CircuitBreaker breaker;
  EXPECT_EQ(breaker.state(), BreakerState::active);
  EXPECT_FALSE(breaker.recover());
  EXPECT_FALSE(breaker.activate());
  EXPECT_TRUE(breaker.deactivate());
  EXPECT_FALSE(breaker.deactivate());
  EXPECT_TRUE(breaker.recover());
  EXPECT_EQ(breaker.state(), BreakerState::recovering);
  EXPECT_FALSE(breaker.recover());
  EXPECT_TRUE(breaker.deactivate());
  EXPECT_TRUE(breaker.recover());
  EXPECT_TRUE(breaker.activate());
  EXPECT_TRUE(breaker.is_active());
  EXPECT_TRUE(breaker.deactivate());
  EXPECT_TRUE(breaker.activate());  // activation by hand needs no probes
}

// CB-01 CB-02 PO-24
TEST(CircuitBreaker, AdmitsAllNoneOrProbesByState) {
  CircuitBreaker breaker({.probes = 2, .rounds = 1});
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(breaker.admit());
  breaker.deactivate();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(breaker.admit());
  EXPECT_EQ(breaker.rejected(), 3u);
  breaker.recover();
  const BreakerPermit first = breaker.admit();
  const BreakerPermit second = breaker.admit();
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
  EXPECT_FALSE(breaker.admit());
  breaker.release_permit(second);
  EXPECT_TRUE(breaker.admit());
  EXPECT_FALSE(breaker.admit());
  EXPECT_EQ(breaker.probes_in_flight(), 2u);
}

// CB-02
TEST(CircuitBreaker, SuccessfulRoundDoublesProbeLimit) {
  CircuitBreaker breaker({.probes = 2, .rounds = 3});
  breaker.deactivate();
  breaker.recover();
  for (const std::uint32_t width : {2u, 4u, 8u}) {
    EXPECT_EQ(breaker.probe_limit(), width);
    EXPECT_FALSE(breaker.is_ramped_up());
    std::vector<BreakerPermit> probes;
    while (const BreakerPermit permit = breaker.admit()) probes.push_back(permit);
    EXPECT_EQ(probes.size(), width);
    for (const BreakerPermit permit : probes) breaker.report_success(permit);
  }
  EXPECT_TRUE(breaker.is_ramped_up());
  EXPECT_EQ(breaker.state(), BreakerState::recovering);  // there is no strategy to activate it
  EXPECT_EQ(breaker.probe_limit(), 8u);
}

TEST(CircuitBreaker, FailedProbeRestartsRounds) {
  CircuitBreaker breaker({.probes = 1, .rounds = 3});
  breaker.deactivate();
  breaker.recover();
  breaker.call([] {});
  EXPECT_EQ(breaker.probe_limit(), 2u);
  const BreakerPermit other = breaker.admit();
  expect_failure(breaker);
  EXPECT_EQ(breaker.probe_limit(), 1u);
  EXPECT_FALSE(breaker.admit());  // the other probe is still in flight
  breaker.report_success(other);
  EXPECT_EQ(breaker.probe_limit(), 2u);
}

TEST(CircuitBreaker, ReportsOfEarlierPeriodAreDropped) {
  const auto strategy = std::make_shared<RecordingStrategy>();
  CircuitBreaker breaker({.strategy = strategy});
  const BreakerPermit slow = breaker.admit();
  breaker.deactivate();
  breaker.recover();
  strategy->log.clear();
  const BreakerPermit probe = breaker.admit();
  breaker.report_success(slow);
  breaker.report_failure(std::make_exception_ptr(Error("late")), slow);
  breaker.release_permit(slow);
  EXPECT_EQ(strategy->log, "");
  EXPECT_EQ(breaker.probes_in_flight(), 1u);
  breaker.deactivate();
  breaker.recover();
  EXPECT_TRUE(breaker.admit());
  breaker.report_success(probe);  // of the previous recovery
  EXPECT_EQ(breaker.probes_in_flight(), 1u);
  EXPECT_EQ(strategy->log, "IR");
}

// CB-02 PO-25
TEST(CircuitBreaker, ReportsWithoutPermitCountInEveryState) {
  const auto strategy = std::make_shared<RecordingStrategy>();
  CircuitBreaker breaker({.strategy = strategy});
  const auto report_both = [&] {
    breaker.report_success();
    breaker.report_failure(std::make_exception_ptr(Error("health check")));
  };
  report_both();
  breaker.deactivate();
  report_both();
  breaker.recover();
  const BreakerPermit probe = breaker.admit();
  report_both();
  EXPECT_EQ(breaker.probes_in_flight(), 1u);  // reports without a permit are not probes
  breaker.release_permit(probe);
  EXPECT_EQ(strategy->log, "sfIsfRsf");
}

// PO-19
TEST(CircuitBreaker, StrategyMayStoreReportedError) {
  const auto strategy = std::make_shared<RecordingStrategy>();
  {
    CircuitBreaker breaker({.strategy = strategy});
    expect_failure(breaker);
    breaker.report_failure(nullptr);
  }
  ASSERT_EQ(strategy->errors.size(), 2u);
  EXPECT_THROW(std::rethrow_exception(strategy->errors[0]), std::runtime_error);
  EXPECT_THROW(std::rethrow_exception(strategy->errors[1]), Error);
}

TEST(CircuitBreaker, RejectionReportsStateAndLastFailure) {
  CircuitBreaker breaker;
  expect_failure(breaker);
  breaker.deactivate();
  try {
    breaker.call([] {});
    FAIL();
  } catch (const ServiceUnavailableError& error) {
    EXPECT_STREQ(error.what(),
                 "service unavailable: the circuit breaker is inactive; last failure: connection refused");
  }
  breaker.recover();
  const BreakerPermit probe = breaker.admit();
  EXPECT_STREQ(breaker.unavailable_error().what(),
               "service unavailable: the circuit breaker is recovering and all probes are in flight; "
               "last failure: connection refused");
  breaker.release_permit(probe);
}

TEST(CircuitBreaker, CallReturnsResultOrThrowsErrorOfFunction) {
  const auto strategy = std::make_shared<RecordingStrategy>();
  CircuitBreaker breaker({.strategy = strategy});
  int value = 7;
  EXPECT_EQ(&breaker.call([&]() -> int& { return value; }), &value);
  EXPECT_EQ(*breaker.call([] { return std::make_unique<int>(5); }), 5);
  breaker.call([] {});
  expect_failure(breaker);
  EXPECT_EQ(strategy->log, "sssf");
}

TEST(CircuitBreaker, ErrorsExcludedByIsFailureCountAsSuccess) {
  const auto strategy = std::make_shared<RecordingStrategy>();
  CircuitBreaker breaker({.strategy = strategy, .is_failure = [](const std::exception_ptr& error) {
                            try {
                              std::rethrow_exception(error);
                            } catch (const std::invalid_argument&) {
                              return false;
                            } catch (...) {
                              return true;
                            }
                          }});
  EXPECT_THROW(breaker.call([] { throw std::invalid_argument("no such user"); }), std::invalid_argument);
  expect_failure(breaker);
  EXPECT_EQ(strategy->log, "sf");
}

TEST(CircuitBreaker, InvalidOptionsAreMisuse) {
  EXPECT_THROW(CircuitBreaker({.probes = 0}), MisuseError);
  EXPECT_THROW(CircuitBreaker({.probes = 70'000}), MisuseError);
  EXPECT_THROW(CircuitBreaker({.rounds = 0}), MisuseError);
  EXPECT_THROW(CircuitBreaker({.rounds = 17}), MisuseError);
  EXPECT_THROW(CircuitBreaker({.recovery_check_interval = 0ns}), MisuseError);
}

// CB-03
TEST(CircuitBreaker, ObserverGetsEveryChangeInOrder) {
  CircuitBreaker breaker;
  std::string seen;
  breaker.set_observer(
      [](void* context, BreakerState from, BreakerState to) noexcept {
        *static_cast<std::string*>(context) += std::string(to_string(from)) + ">" + to_string(to) + " ";
      },
      &seen);
  breaker.deactivate();
  breaker.recover();
  breaker.activate();
  breaker.set_observer(nullptr, nullptr);
  breaker.deactivate();
  EXPECT_EQ(seen, "active>inactive inactive>recovering recovering>active ");
}

// For any order of operations: the probes in flight are those of this period that have not reported, their number never
// exceeds the limit, and no call is admitted while the breaker is inactive.
// CB-02 PO-24
TEST(CircuitBreaker, ProbeCountMatchesModelForRandomOperations) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    CircuitBreaker breaker({.probes = static_cast<std::uint32_t>(1 + seed % 3), .rounds = 3});
    std::vector<BreakerPermit> probes;  // of this period
    std::vector<BreakerPermit> old;
    for (int step = 0; step < 300; ++step) {
      const BreakerState before = breaker.state();
      auto& from = random() % 4 == 0 ? old : probes;
      switch (random() % 16) {
        case 0:
          breaker.deactivate();
          break;
        case 1:
        case 2:
          breaker.recover();
          break;
        case 3:
          breaker.activate();
          break;
        case 4:
          breaker.report_success();
          break;
        case 5:
          breaker.report_failure(nullptr);
          break;
        default:
          if (random() % 2 || from.empty()) {
            const bool below_limit = breaker.probes_in_flight() < breaker.probe_limit();
            const BreakerPermit permit = breaker.admit();
            ASSERT_EQ(static_cast<bool>(permit), before == BreakerState::active || below_limit) << "seed " << seed;
            if (permit) (before == BreakerState::active ? old : probes).push_back(permit);
            break;
          }
          const BreakerPermit permit = from.back();
          from.pop_back();
          if (before == BreakerState::active) break;  // reports of an active breaker do not change the probes
          switch (random() % 3) {
            case 0:
              breaker.report_success(permit);
              break;
            case 1:
              breaker.report_failure(nullptr, permit);
              break;
            default:
              breaker.release_permit(permit);
          }
      }
      if (breaker.state() != before) {
        old.insert(old.end(), probes.begin(), probes.end());
        probes.clear();
      }
      ASSERT_EQ(breaker.probes_in_flight(), probes.size()) << "seed " << seed << " step " << step;
      ASSERT_EQ(breaker.probe_limit() > 0, breaker.state() == BreakerState::recovering);
    }
  }
}

}  // namespace
}  // namespace trueasync
