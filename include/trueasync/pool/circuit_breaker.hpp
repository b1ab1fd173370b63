// CircuitBreaker: stops calls to a service that is down.
//
//   ta::CircuitBreaker breaker({.strategy = std::make_shared<ta::ConsecutiveFailures>()});
//   auto reply = breaker.call([&] { return ask(service); });
//
// Active (closed): every call passes. Inactive (open): every call fails immediately with ServiceUnavailableError.
// Recovering (half-open): a limited number of probes pass, more with each successful round; other calls fail.
// The state changes by hand or by a strategy, which is notified of every outcome. While the breaker is inactive, a
// background timer asks the strategy whether to recover. The timer neither keeps the program alive nor counts for
// deadlock detection.
//
// Ownership: a share of its strategy.
// Lifetime: must outlive the calls it admitted; may outlive the runtime.
// Thread safety: one runtime.
// Errors: call() throws ServiceUnavailableError and what the function throws; the constructor throws MisuseError.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/sync/retry.hpp"

namespace trueasync {

namespace detail {
class BreakerTimer;
}

// BreakerState: active (closed), inactive (open), recovering (half-open).
enum class BreakerState : std::uint8_t { active, inactive, recovering };

TRUEASYNC_EXPORT const char* to_string(BreakerState state) noexcept;

// ServiceUnavailableError: a circuit breaker rejected the call; the service was not called.
class TRUEASYNC_EXPORT ServiceUnavailableError : public Error {
 public:
  using Error::Error;
  ~ServiceUnavailableError() override;
};

class CircuitBreaker;

// BreakerStrategy: decides when a breaker changes its state. Its functions call activate(), deactivate() or recover()
// on the breaker. They must not suspend (MisuseError) or destroy the breaker. They may replace the strategy; reports
// made inside them reach no strategy. An exception thrown by a strategy does not affect the reported call: it is an
// unhandled error of the runtime, and the breaker keeps its state. Without a runtime it terminates the program.
class TRUEASYNC_EXPORT BreakerStrategy {
 public:
  virtual ~BreakerStrategy();
  virtual void report_success(CircuitBreaker& breaker) = 0;
  // `error` is never null and may be stored.
  virtual void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) = 0;
  // Called every BreakerOptions::recovery_check_interval while the breaker is inactive. Return true to start recovery.
  virtual bool should_recover(CircuitBreaker& breaker) = 0;
  // Called after every state change.
  virtual void state_changed(CircuitBreaker& breaker, BreakerState state);
};

// BreakerOptions: options of a circuit breaker.
struct BreakerOptions {
  std::shared_ptr<BreakerStrategy> strategy = {};  // default: none, the state changes by hand only
  // Concurrent probes in the first recovery round; default 1. A round ends when as many probes have succeeded; each
  // further round is twice as wide. Recovery is complete after `rounds` rounds; default 3.
  std::uint32_t probes = 1;
  std::uint32_t rounds = 3;
  // Interval at which the strategy is asked while inactive; default 100 ms.
  std::chrono::nanoseconds recovery_check_interval = std::chrono::milliseconds(100);
  // Returns whether an error counts as a failure of the service; other errors count as successes. Default: every error.
  std::function<bool(const std::exception_ptr&)> is_failure = {};
};

// BreakerPermit: the admission of one call, with the period between two state changes in which it was granted. A report
// with a permit of an earlier period is dropped, because it says nothing about the current state of the service.
class BreakerPermit {
 public:
  BreakerPermit() = default;  // belongs to no call, for example a health check; always counts
  explicit operator bool() const noexcept { return period_ != 0; }

 private:
  friend class CircuitBreaker;
  explicit BreakerPermit(std::uint32_t period) noexcept : period_(period) {}
  std::uint32_t period_ = 0;
};

class TRUEASYNC_EXPORT CircuitBreaker {
 public:
  explicit CircuitBreaker(BreakerOptions options = {});
  ~CircuitBreaker();
  CircuitBreaker(const CircuitBreaker&) = delete;
  CircuitBreaker& operator=(const CircuitBreaker&) = delete;

  BreakerState state() const noexcept { return state_; }
  bool is_active() const noexcept { return state_ == BreakerState::active; }

  // Change the state by hand; each returns true if the state changed. activate() and deactivate() work from any other
  // state, recover() from inactive only.
  bool activate() noexcept { return change(BreakerState::active); }
  bool deactivate() noexcept { return change(BreakerState::inactive); }
  bool recover() noexcept { return state_ == BreakerState::inactive && change(BreakerState::recovering); }

  // Guards one call. A function that returns counts as a success; one that throws counts as a failure, unless
  // is_failure says otherwise; a cancelled call counts as neither.
  template <class F>
  auto call(F&& function) -> std::invoke_result_t<F>;

  // For code that guards something other than one call. Admit first; if the permit is valid, call exactly one of
  // report_success(), report_failure() and release_permit() with it. An empty permit means rejected. While recovering,
  // a permit belongs to a probe.
  BreakerPermit admit() noexcept { return is_active() ? BreakerPermit(period_) : admit_probe(); }
  void report_success(BreakerPermit permit = {}) noexcept {
    if (strategy_ || !is_active()) record_success(permit);
  }
  // A null `error` is replaced by a generic error. A report without a permit counts as well.
  void report_failure(std::exception_ptr error, BreakerPermit permit = {}) noexcept;
  // Returns a permit without an outcome: the call was cancelled or timed out.
  void release_permit(BreakerPermit permit) noexcept;
  // The error of a rejected call, with the state and the text of the last failure.
  ServiceUnavailableError unavailable_error() const;

  void set_strategy(std::shared_ptr<BreakerStrategy> strategy);
  const std::shared_ptr<BreakerStrategy>& strategy() const noexcept { return strategy_; }
  // Called after every state change and before the strategy is notified; null removes it. The observer may call all
  // functions of the breaker.
  using Observer = void (*)(void* context, BreakerState from, BreakerState to) noexcept;
  void set_observer(Observer observer, void* context) noexcept;

  // While recovering: the maximum number of concurrent probes, the probes in flight, and whether all rounds have
  // succeeded.
  std::uint32_t probe_limit() const noexcept { return probe_limit_; }
  std::uint32_t probes_in_flight() const noexcept { return probes_in_flight_; }
  bool is_ramped_up() const noexcept { return rounds_done_ >= options_.rounds; }
  std::uint64_t rejected() const noexcept { return rejected_; }

 private:
  friend class detail::BreakerTimer;
  template <class F>
  void run_user_code(F&& user_code) noexcept;
  template <class F>
  void notify_strategy(F&& notify) noexcept;
  bool change(BreakerState to) noexcept;
  void begin_ramp() noexcept;
  BreakerPermit admit_probe() noexcept;
  bool end_probe(BreakerPermit permit) noexcept;
  void record_success(BreakerPermit permit) noexcept;
  bool counts_as_failure(const std::exception_ptr& error) noexcept;
  void update_recovery_timer() noexcept;
  void check_recovery() noexcept;

  BreakerState state_ = BreakerState::active;
  bool in_strategy_ = false;  // a function of the strategy is running
  std::uint32_t period_ = 1;
  std::uint32_t probe_limit_ = 0;
  std::uint32_t probes_in_flight_ = 0;
  std::uint32_t round_successes_ = 0;
  std::uint32_t rounds_done_ = 0;
  std::uint64_t rejected_ = 0;
  std::shared_ptr<BreakerStrategy> strategy_;
  Observer observer_ = nullptr;
  void* observer_context_ = nullptr;
  detail::BreakerTimer* timer_ = nullptr;  // counted; created on first use
  BreakerOptions options_;
  std::string last_failure_;
};

template <class F>
auto CircuitBreaker::call(F&& function) -> std::invoke_result_t<F> {
  BreakerPermit permit = admit();
  if (!permit) throw unavailable_error();
  using Result = std::invoke_result_t<F>;
  try {
    if constexpr (std::is_void_v<Result>) {
      std::forward<F>(function)();
      report_success(std::exchange(permit, {}));
    } else if constexpr (std::is_reference_v<Result>) {
      Result result = std::forward<F>(function)();
      report_success(std::exchange(permit, {}));
      return static_cast<Result>(result);
    } else {
      Result result = std::forward<F>(function)();
      report_success(std::exchange(permit, {}));
      return result;
    }
  } catch (const Cancelled&) {
    release_permit(permit);
    throw;
  } catch (...) {
    if (permit) report_failure(std::current_exception(), permit);
    throw;
  }
}

// Strategies for a circuit breaker: ConsecutiveFailures and FailureRate.
//
// Both deactivate the breaker, wait for a backoff that grows with each failed recovery, end a recovery at its first
// failure, and activate the breaker when all probe rounds have succeeded.
//
// Ownership: its counters.
// Lifetime: shared with the breaker; one strategy serves one breaker.
// Thread safety: that of the breaker; uses the runtime's clock.
// Errors: constructors throw MisuseError for invalid options.

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
