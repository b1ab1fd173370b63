#include "trueasync/breaker_strategy.hpp"

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

BackoffStrategy::BackoffStrategy(const BreakerBackoff& pause)
    : pauses_{.initial_delay = pause.initial, .max_delay = pause.max, .factor = pause.factor, .jitter = pause.jitter},
      backoff_(pauses_) {
  if (pause.initial.count() <= 0 || pause.max < pause.initial)
    throw MisuseError("a breaker's pause must be above 0 and its longest no shorter than its first");
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
  if (state == BreakerState::active) backoff_ = Backoff(pauses_);
  if (state == BreakerState::inactive) recover_at_ = deadline_after(time_now(), backoff_.next());
}

}  // namespace detail

ConsecutiveFailures::ConsecutiveFailures(const ConsecutiveFailuresOptions& options)
    : BackoffStrategy(options.pause), limit_(options.failures) {
  if (limit_ == 0) throw MisuseError("a breaker's number of failures must be above 0");
}

ConsecutiveFailures::~ConsecutiveFailures() = default;

bool ConsecutiveFailures::count_success() {
  failures_ = 0;
  return false;
}

bool ConsecutiveFailures::count_failure() { return ++failures_ >= limit_; }

void ConsecutiveFailures::reset_counts() noexcept { failures_ = 0; }

FailureRate::FailureRate(const FailureRateOptions& options) : BackoffStrategy(options.pause), options_(options) {
  if (!(options.rate > 0 && options.rate <= 1) || options.minimum_calls == 0)
    throw MisuseError("a failure rate is above 0 and at most 1, and needs a minimum of calls above 0");
  if (options.buckets == 0 || options.window.count() < options.buckets)
    throw MisuseError("the window of a failure rate must be as long as its buckets are many");
  bucket_length_ = options.window / options.buckets;
  buckets_.resize(options.buckets);
}

FailureRate::~FailureRate() = default;

// A failure raises the rate, a success may bring the calls to the minimum: both may be the one too many.
bool FailureRate::count(std::uint32_t failures) {
  const std::int64_t tick = time_now().time_since_epoch() / bucket_length_;
  Bucket& bucket = buckets_[static_cast<std::size_t>(tick) % buckets_.size()];
  if (bucket.tick != tick) bucket = {tick, 0, 0};
  ++bucket.calls;
  bucket.failures += failures;
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;
  for (const Bucket& each : buckets_) {
    if (each.tick <= tick - static_cast<std::int64_t>(buckets_.size())) continue;
    calls += each.calls;
    failed += each.failures;
  }
  return calls >= options_.minimum_calls && static_cast<double>(failed) >= options_.rate * static_cast<double>(calls);
}

void FailureRate::reset_counts() noexcept { std::fill(buckets_.begin(), buckets_.end(), Bucket{}); }

}  // namespace trueasync
