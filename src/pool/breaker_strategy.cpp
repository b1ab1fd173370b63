#include "trueasync/pool/circuit_breaker.hpp"

#include <algorithm>

#include "reactor/timer_queue.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync {

namespace {

TimePoint time_now() noexcept {
  detail::Scheduler* scheduler = detail::Scheduler::current();
  return scheduler ? scheduler->reactor().now() : Clock::now();
}

}  // namespace

namespace detail {

BackoffStrategy::BackoffStrategy(const BreakerBackoff& backoff)
    : backoff_options_{.initial_delay = backoff.initial,
                       .max_delay = backoff.max,
                       .factor = backoff.factor,
                       .jitter = backoff.jitter},
      backoff_(backoff_options_) {
  if (backoff.initial.count() <= 0 || backoff.max < backoff.initial)
    throw MisuseError("BreakerBackoff: initial must be greater than 0 and max must not be less than initial");
}

BackoffStrategy::~BackoffStrategy() = default;

void BackoffStrategy::report_success(CircuitBreaker& breaker) {
  if (breaker.state() == BreakerState::active) {
    if (count_success()) breaker.deactivate();
  } else if (breaker.is_ramped_up()) {
    breaker.activate();
  }
}

void BackoffStrategy::report_failure(CircuitBreaker& breaker, const std::exception_ptr&) {
  if (breaker.state() != BreakerState::active || count_failure()) breaker.deactivate();
}

bool BackoffStrategy::should_recover(CircuitBreaker&) { return time_now() >= recover_at_; }

void BackoffStrategy::state_changed(CircuitBreaker&, BreakerState state) {
  reset_counts();
  if (state == BreakerState::active) backoff_ = Backoff(backoff_options_);
  if (state == BreakerState::inactive) recover_at_ = deadline_after(time_now(), backoff_.next());
}

}  // namespace detail

ConsecutiveFailures::ConsecutiveFailures(const ConsecutiveFailuresOptions& options)
    : BackoffStrategy(options.backoff), limit_(options.failures) {
  if (limit_ == 0) throw MisuseError("ConsecutiveFailuresOptions::failures must be at least 1");
}

ConsecutiveFailures::~ConsecutiveFailures() = default;

bool ConsecutiveFailures::count_success() {
  failures_ = 0;
  return false;
}

bool ConsecutiveFailures::count_failure() { return ++failures_ >= limit_; }

void ConsecutiveFailures::reset_counts() noexcept { failures_ = 0; }

FailureRate::FailureRate(const FailureRateOptions& options) : BackoffStrategy(options.backoff), options_(options) {
  if (!(options.rate > 0 && options.rate <= 1) || options.minimum_calls == 0)
    throw MisuseError("FailureRateOptions: rate must be above 0 and at most 1, minimum_calls at least 1");
  if (options.buckets == 0 || options.window.count() < options.buckets)
    throw MisuseError("FailureRateOptions: buckets must be at least 1 and window at least 1 ns per bucket");
  bucket_length_ = options.window / options.buckets;
  buckets_.resize(options.buckets);
}

FailureRate::~FailureRate() = default;

// Both outcomes can deactivate the breaker: a failure raises the rate, a success may complete the minimum of calls.
bool FailureRate::count(std::uint32_t failures) {
  const std::int64_t tick = time_now().time_since_epoch() / bucket_length_;
  Bucket& bucket = buckets_[static_cast<std::size_t>(tick) % buckets_.size()];
  if (bucket.tick != tick) bucket = {tick, 0, 0};
  ++bucket.calls;
  bucket.failures += failures;
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;
  for (const Bucket& counted : buckets_) {
    if (counted.tick <= tick - static_cast<std::int64_t>(buckets_.size())) continue;
    calls += counted.calls;
    failed += counted.failures;
  }
  return calls >= options_.minimum_calls && static_cast<double>(failed) >= options_.rate * static_cast<double>(calls);
}

void FailureRate::reset_counts() noexcept { std::fill(buckets_.begin(), buckets_.end(), Bucket{}); }

}  // namespace trueasync
