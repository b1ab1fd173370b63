// breaker_strategy.hpp: strategies for a circuit breaker: ConsecutiveFailures and FailureRate.
//
// Both deactivate the breaker, wait for a backoff that grows with each failed recovery, end a recovery at its first
// failure, and activate the breaker when all probe rounds have succeeded.
//
// Ownership: its counters.
// Lifetime: shared with the breaker; one strategy serves one breaker.
// Thread safety: that of the breaker; uses the runtime's clock.
// Errors: constructors throw MisuseError for invalid options.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "trueasync/circuit_breaker.hpp"
#include "trueasync/retry.hpp"
#include "trueasync/wait.hpp"

namespace trueasync {

// BreakerBackoff: how long a breaker stays inactive. Each delay is shortened by a random part of up to `jitter`.
struct BreakerBackoff {
  std::chrono::nanoseconds initial = std::chrono::seconds(5);  // delay before the first recovery; default 5 s
  std::chrono::nanoseconds max = std::chrono::minutes(1);      // upper bound of the delay; default 1 min
  double factor = 2;                                           // growth after each failed recovery; default 2
  double jitter = 0.1;                                         // 0 to 1; default 0.1
};

namespace detail {

// BackoffStrategy: the common base; derived classes decide when to deactivate.
class TRUEASYNC_EXPORT BackoffStrategy : public BreakerStrategy {
 public:
  ~BackoffStrategy() override;
  void report_success(CircuitBreaker& breaker) final;
  void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) final;
  bool should_recover(CircuitBreaker& breaker) final;
  void state_changed(CircuitBreaker& breaker, BreakerState state) final;

 protected:
  explicit BackoffStrategy(const BreakerBackoff& backoff);
  // Records one outcome while the breaker is active. Returns true if the breaker must be deactivated.
  virtual bool count_success() = 0;
  virtual bool count_failure() = 0;
  virtual void reset_counts() noexcept = 0;

 private:
  RetryOptions backoff_options_;
  Backoff backoff_;
  TimePoint recover_at_{};
};

}  // namespace detail

// ConsecutiveFailuresOptions: options of ConsecutiveFailures.
struct ConsecutiveFailuresOptions {
  std::uint32_t failures = 5;  // consecutive failures that deactivate the breaker; default 5
  BreakerBackoff backoff = {};
};

// ConsecutiveFailures: deactivates the breaker after a number of consecutive failures.
class TRUEASYNC_EXPORT ConsecutiveFailures final : public detail::BackoffStrategy {
 public:
  explicit ConsecutiveFailures(const ConsecutiveFailuresOptions& options = {});
  ~ConsecutiveFailures() override;

 private:
  bool count_success() override;
  bool count_failure() override;
  void reset_counts() noexcept override;

  std::uint32_t limit_;
  std::uint32_t failures_ = 0;
};

// FailureRateOptions: options of FailureRate. The window slides in steps of window / buckets.
struct FailureRateOptions {
  double rate = 0.5;                 // failures among all calls, above 0 and at most 1; default 0.5
  std::uint32_t minimum_calls = 20;  // calls in the window before the rate counts; default 20
  std::chrono::nanoseconds window = std::chrono::seconds(30);  // length of the sliding window; default 30 s
  std::uint32_t buckets = 10;                                  // steps of the window; default 10
  BreakerBackoff backoff = {};
};

// FailureRate: deactivates the breaker when the failure rate in a sliding window is too high.
class TRUEASYNC_EXPORT FailureRate final : public detail::BackoffStrategy {
 public:
  explicit FailureRate(const FailureRateOptions& options = {});
  ~FailureRate() override;

 private:
  struct Bucket {
    std::int64_t tick = -1;  // bucket index since the epoch of the clock; -1: unused
    std::uint32_t calls = 0;
    std::uint32_t failures = 0;
  };
  bool count(std::uint32_t failures);
  bool count_success() override { return count(0); }
  bool count_failure() override { return count(1); }
  void reset_counts() noexcept override;

  FailureRateOptions options_;
  std::chrono::nanoseconds bucket_length_;
  std::vector<Bucket> buckets_;
};

}  // namespace trueasync
