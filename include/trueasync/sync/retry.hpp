// retry: calls a function until it succeeds, with growing delays between the attempts.
//
// The delay grows by `factor` up to `max_delay`. Each delay is shortened by a random part of up to `jitter`, so that
// clients that failed together do not retry together.
//
// Thread safety: one runtime.
// Errors: the error of the last attempt. TimeoutError if the time of `wait` expires during a delay, OperationCancelled
// if its token fires during a delay. An OperationCancelled caused by a timeout() token is retried like an error.
// Other cancellations, and errors that `retry_if` rejects, are not retried.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include "trueasync/cancel.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

// RetryOptions: options of retry().
struct RetryOptions {
  unsigned attempts = 3;  // maximum number of calls, the first included; default 3
  std::chrono::nanoseconds initial_delay = std::chrono::milliseconds(100);  // before the second attempt; default 100 ms
  std::chrono::nanoseconds max_delay = std::chrono::seconds(30);            // upper bound of the delay; default 30 s
  double factor = 2;                                                        // growth of the delay; default 2
  double jitter = 0.5;     // 0: none, 1: any delay between zero and the full delay; default 0.5
  std::uint64_t seed = 0;  // of the jitter; 0: random
  std::function<bool(const std::exception_ptr&)> retry_if = {};  // whether to retry this error; default: always
};

// Backoff: the sequence of delays of one retry.
class TRUEASYNC_EXPORT Backoff {
 public:
  explicit Backoff(const RetryOptions& options);
  std::chrono::nanoseconds next() noexcept;

 private:
  double delay_;  // in nanoseconds
  double max_delay_;
  double factor_;
  double jitter_;
  std::uint64_t random_;
};

namespace detail {

TRUEASYNC_EXPORT void sleep_between_attempts(std::chrono::nanoseconds duration, WaitOptions wait,
                                             SourceLocation location);
// True for an error or an expired timeout token, false for a cancellation.
TRUEASYNC_EXPORT bool is_retryable(const std::exception_ptr& error) noexcept;

}  // namespace detail

// `wait` bounds all attempts and delays together, but does not interrupt an attempt.
template <class F>
auto retry(const RetryOptions& options, F&& function, WaitOptions wait = {},
           SourceLocation location = SourceLocation::current()) -> std::invoke_result_t<F&> {
  if (wait.has_time()) wait = detail::with_fixed_deadline(wait);
  Backoff backoff(options);
  for (unsigned attempt = 1;; ++attempt) {
    try {
      return function();
    } catch (...) {
      const std::exception_ptr error = std::current_exception();
      if (attempt >= options.attempts || !detail::is_retryable(error)) throw;
      if (options.retry_if && !options.retry_if(error)) throw;
    }
    detail::sleep_between_attempts(backoff.next(), wait, location);
  }
}

template <class F>
auto retry(F&& function, WaitOptions wait = {}, SourceLocation location = SourceLocation::current())
    -> std::invoke_result_t<F&> {
  return retry(RetryOptions{}, std::forward<F>(function), wait, location);
}

}  // namespace trueasync
