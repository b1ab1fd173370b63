// Ready-made strategies of a circuit breaker: so many failures one after the other, or a rate of failures over a sliding
// window. Both then wait – longer after each recovery that failed – before the breaker recovers, end a recovery at its
// first failure, and activate the breaker when its ramp is through.
//
// Owns: its counts. Lifetime: shared with the breaker; one strategy for one breaker. Threads: the breaker's. Time is the
// runtime's. Errors: constructors throw MisuseError.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "trueasync/circuit_breaker.hpp"
#include "trueasync/retry.hpp"
#include "trueasync/wait.hpp"

namespace trueasync {

// How long a breaker stays inactive: `first` the first time, then `factor` times as long after each recovery that
// failed, up to `longest`; shortened by a random part of up to `jitter`.
struct BreakerBackoff {
  std::chrono::nanoseconds initial = std::chrono::seconds(5);
  std::chrono::nanoseconds max = std::chrono::minutes(1);
  double factor = 2;
  double jitter = 0.1;
};

namespace detail {

// What the ready-made strategies have in common: all but the decision to give up.
class TRUEASYNC_EXPORT BackoffStrategy : public BreakerStrategy {
 public:
  ~BackoffStrategy() override;
  void report_success(CircuitBreaker& breaker) final;
  void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) final;
  bool should_recover(CircuitBreaker& breaker) final;
  void state_changed(CircuitBreaker& breaker, BreakerState state) final;

 protected:
  explicit BackoffStrategy(const BreakerBackoff& pause);
  // One outcome while the breaker is active; true: that is enough.
  virtual bool count_success() = 0;
  virtual bool count_failure() = 0;
  virtual void reset_counts() noexcept = 0;

 private:
  RetryOptions pauses_;
  Backoff backoff_;
  TimePoint recover_at_{};
};

}  // namespace detail

struct ConsecutiveFailuresOptions {
  std::uint32_t failures = 5;
  BreakerBackoff pause = {};
};

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

// The window moves by a `buckets`th of its length at a time.
struct FailureRateOptions {
  double rate = 0.5;  // failures among all calls; above 0, at most 1
  std::uint32_t minimum_calls = 20;
  std::chrono::nanoseconds window = std::chrono::seconds(30);
  std::uint32_t buckets = 10;
  BreakerBackoff pause = {};
};

class TRUEASYNC_EXPORT FailureRate final : public detail::BackoffStrategy {
 public:
  explicit FailureRate(const FailureRateOptions& options = {});
  ~FailureRate() override;

 private:
  struct Bucket {
    std::int64_t tick = -1;  // since the clock's beginning, in lengths of a bucket
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
