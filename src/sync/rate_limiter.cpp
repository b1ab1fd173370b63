#include "trueasync/sync/rate_limiter.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

namespace {

using Seconds = std::chrono::duration<double>;

// Tolerance in tokens: times are rounded to nanoseconds, so the level may be slightly too low when a wait ends.
constexpr double kTolerance = 1e-6;

// Keeps a wait in the range of nanoseconds. acquire() waits again if there are too few tokens when it ends.
constexpr Seconds kMaxWait = std::chrono::hours(24 * 365 * 100);

std::string to_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

}  // namespace

RateLimiter::RateLimiter(RateLimit limit) : limit_(limit), level_(limit.burst) {
  if (!(limit.per_second > 0) || !(limit.burst > 0))
    throw MisuseError("RateLimit: per_second and burst must be greater than 0 (got " + to_text(limit.per_second) +
                      " and " + to_text(limit.burst) + ")");
}

void RateLimiter::refill(TimePoint now) noexcept {
  if (filled_) level_ = std::min(limit_.burst, level_ + Seconds(now - *filled_).count() * limit_.per_second);
  filled_ = now;
}

void RateLimiter::check(double amount) const {
  if (!(amount >= 0)) throw MisuseError("RateLimiter: amount must be at least 0 (got " + to_text(amount) + ")");
  if (!(amount <= limit_.burst)) {
    throw MisuseError("RateLimiter: amount must be at most the burst (got " + to_text(amount) + ", burst " +
                      to_text(limit_.burst) + ")");
  }
}

bool RateLimiter::try_acquire(double amount) {
  check(amount);
  if (fifo_lock_.is_locked() || available() + kTolerance < amount) return false;
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
  const std::optional<TimePoint> deadline = detail::absolute_deadline(scheduler, options);
  fifo_lock_.lock({deadline, options.token()}, location);
  Mutex::Guard guard(fifo_lock_, std::adopt_lock);
  for (;;) {
    const double missing = amount - available();
    if (missing <= kTolerance) break;
    const Seconds refill_time = std::min(kMaxWait, Seconds(missing / limit_.per_second));
    const auto wait = std::chrono::duration_cast<std::chrono::nanoseconds>(refill_time);
    const TimePoint ready = detail::deadline_after(*filled_, wait + std::chrono::nanoseconds(1));
    if (deadline && ready > *deadline && *filled_ >= *deadline)
      throw TimeoutError("RateLimiter::acquire: timed out waiting for " + to_text(amount) + " tokens");
    detail::sleep_until(scheduler, deadline ? std::min(ready, *deadline) : ready, options.token(), location);
  }
  level_ -= amount;
}

}  // namespace trueasync
