// RateLimiter: a token bucket. `burst` may pass at once, then as many per second as `per_second` says. First come first
// served: nobody passes those who wait, however little is asked for.
//
// Owns: its bucket. Lifetime: outlives its waiters (checked). Threads: one runtime's; time is the runtime's. Errors:
// acquire throws Cancelled, TimeoutError with a limit – what was asked for is not taken then; MisuseError for a rate or
// burst that is not positive, or for an amount below nothing or above the burst.
#pragma once

#include <chrono>
#include <optional>

#include "trueasync/export.hpp"
#include "trueasync/mutex.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait.hpp"

namespace trueasync {

struct RateLimit {
  double per_second = 1;
  double burst = 1;
};

class TRUEASYNC_EXPORT RateLimiter {
 public:
  explicit RateLimiter(RateLimit limit);

  void acquire(double amount = 1, std::optional<std::chrono::nanoseconds> limit = std::nullopt,
               SourceLocation location = SourceLocation::current());
  bool try_acquire(double amount = 1);
  // What could pass now.
  double available();

 private:
  void refill(TimePoint now) noexcept;
  void check(double amount) const;

  RateLimit limit_;
  double level_;
  std::optional<TimePoint> filled_;
  Mutex turn_;
};

}  // namespace trueasync
