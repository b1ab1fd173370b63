// RateLimiter: a token bucket with a capacity of `burst` tokens, refilled at `per_second` tokens per second. Waiters
// get tokens in FIFO order: a small request does not overtake a larger request.
//
// Lifetime: must outlive its waiters (checked).
// Thread safety: one runtime; uses the runtime's clock.
// Errors: acquire() throws Cancelled, TimeoutError if the time of `options` expires, OperationCancelled if its
// cancellation token fires, MisuseError for an amount that is negative or greater than `burst`. A failed acquire() takes
// no tokens. The constructor throws MisuseError if the rate or the burst is not positive.
#pragma once

#include <optional>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/sync/mutex.hpp"

namespace trueasync {

// RateLimit: the parameters of a RateLimiter.
struct RateLimit {
  double per_second = 1;  // refill rate; default 1
  double burst = 1;       // capacity; default 1
};

class TRUEASYNC_EXPORT RateLimiter {
 public:
  explicit RateLimiter(RateLimit limit);

  void acquire(double amount = 1, WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  bool try_acquire(double amount = 1);
  // The tokens in the bucket now.
  double available();

 private:
  void refill(TimePoint now) noexcept;
  void check(double amount) const;

  RateLimit limit_;
  double level_;                     // tokens in the bucket at `filled_`
  std::optional<TimePoint> filled_;  // the last refill
  Mutex fifo_lock_;                  // held by the oldest waiter
};

}  // namespace trueasync
