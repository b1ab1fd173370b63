#include "trueasync/sync/retry.hpp"

#include <algorithm>
#include <atomic>

#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

namespace {

// splitmix64, which accepts any seed.
std::uint64_t next_random(std::uint64_t& state) noexcept {
  std::uint64_t mixed = state += 0x9e3779b97f4a7c15ULL;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

// In nanoseconds: a power of two is exact as a double, and this one fits into 64 bits.
constexpr double kMaxDelay = 0x1p62;

std::uint64_t make_seed() noexcept {
  static std::atomic<std::uint64_t> calls{0};
  const auto now = Clock::now().time_since_epoch().count();
  return static_cast<std::uint64_t>(now) + (calls.fetch_add(1, std::memory_order_relaxed) << 32);
}

}  // namespace

// std::min and std::max return their first argument if the second is NaN, so the valid bound comes first.
Backoff::Backoff(const RetryOptions& options)
    : delay_(static_cast<double>(options.initial_delay.count())),
      max_delay_(std::min(kMaxDelay, static_cast<double>(options.max_delay.count()))),
      factor_(std::max(1.0, options.factor)),
      jitter_(std::min(1.0, std::max(0.0, options.jitter))),
      random_(options.seed ? options.seed : make_seed()) {}

std::chrono::nanoseconds Backoff::next() noexcept {
  const double fraction = static_cast<double>(next_random(random_) >> 11) * 0x1p-53;  // in [0, 1)
  const double delay = std::min(delay_, max_delay_);
  delay_ = std::min(max_delay_, delay_ * factor_);
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::max(delay * (1 - jitter_ * fraction), 0.0)));
}

bool detail::is_retryable(const std::exception_ptr& error) noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const OperationCancelled& cancelled) {
    if (!cancelled.cause()) return false;
    try {
      std::rethrow_exception(cancelled.cause());
    } catch (const TimeoutError&) {
      return true;
    } catch (...) {
      return false;
    }
  } catch (const Cancelled&) {
    return false;
  } catch (...) {
    return true;
  }
}

void detail::sleep_between_attempts(std::chrono::nanoseconds duration, WaitOptions wait, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("retry");
  const TimePoint now = scheduler.reactor().now();
  const TimePoint ready = deadline_after(now, duration);
  const std::optional<TimePoint> end = wait.deadline(now);
  sleep_until(scheduler, end ? std::min(ready, *end) : ready, wait.token(), location);
  if (end && *end < ready) throw TimeoutError("retry: timed out between two attempts");
}

}  // namespace trueasync
