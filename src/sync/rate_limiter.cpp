#include "trueasync/rate_limiter.hpp"

#include <algorithm>

#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

namespace {

using Seconds = std::chrono::duration<double>;

// A bucket that is short of less than this is full enough: time has nanoseconds, the level has not.
constexpr double kNothing = 1e-6;

// Waits are cut to what nanoseconds can tell; whoever wakes too early waits again.
constexpr Seconds kLongestWait = std::chrono::hours(24 * 365 * 100);

}  // namespace

RateLimiter::RateLimiter(RateLimit limit) : limit_(limit), level_(limit.burst) {
  if (!(limit.per_second > 0) || !(limit.burst > 0))
    throw MisuseError("a rate limiter needs a rate and a burst above 0");
}

void RateLimiter::refill(TimePoint now) noexcept {
  if (filled_) level_ = std::min(limit_.burst, level_ + Seconds(now - *filled_).count() * limit_.per_second);
  filled_ = now;
}

void RateLimiter::check(double amount) const {
  if (!(amount >= 0)) throw MisuseError("less than nothing can't pass a rate limiter");
  if (!(amount <= limit_.burst)) throw MisuseError("more than its burst can never pass a rate limiter");
}

bool RateLimiter::try_acquire(double amount) {
  check(amount);
  if (turn_.is_locked() || available() + kNothing < amount) return false;
  level_ -= amount;
  return true;
}

double RateLimiter::available() {
  refill(detail::require_scheduler("RateLimiter").reactor().now());
  return level_;
}

void RateLimiter::acquire(double amount, WaitOptions options, SourceLocation location) {
  if (try_acquire(amount)) return;
  detail::Scheduler& scheduler = detail::require_scheduler("RateLimiter::acquire");
  const std::optional<TimePoint> end = detail::deadline_of(scheduler, options);
  turn_.lock({end, options.token()}, location);
  Mutex::Guard turn(turn_, std::adopt_lock);
  for (;;) {
    const double missing = amount - available();
    if (missing <= kNothing) break;
    const Seconds until_there = std::min(kLongestWait, Seconds(missing / limit_.per_second));
    const auto wait = std::chrono::duration_cast<std::chrono::nanoseconds>(until_there);
    const TimePoint ready = detail::deadline_after(*filled_, wait + std::chrono::nanoseconds(1));
    if (end && ready > *end && *filled_ >= *end) throw TimeoutError("a rate limiter let nobody pass in time");
    detail::sleep_until(scheduler, end ? std::min(ready, *end) : ready, options.token(), location);
  }
  level_ -= amount;
}

}  // namespace trueasync
