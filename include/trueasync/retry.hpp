// retry: calls a function again until it succeeds, with growing pauses in between. The pauses grow by `factor` up to
// `longest`, and each is shortened by a random part of up to `jitter`, so that many who failed together do not come back
// together.
//
// Errors: the last attempt's error goes out. A wait that a timeout() has ended is retried like any failure; another
// cancellation never is, nor what `retry_if` refuses. Threads: the runtime's.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include "trueasync/cancel.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

struct RetryOptions {
  unsigned attempts = 3;  // calls at most, the first included
  std::chrono::nanoseconds initial_delay = std::chrono::milliseconds(100);
  std::chrono::nanoseconds max_delay = std::chrono::seconds(30);
  double factor = 2;
  double jitter = 0.5;     // 0: none, 1: anything between nothing and the whole pause
  std::uint64_t seed = 0;  // 0: another one each time
  std::function<bool(const std::exception_ptr&)> retry_if = {};
};

// The pauses of one retry, one after the other.
class TRUEASYNC_EXPORT Backoff {
 public:
  explicit Backoff(const RetryOptions& options);
  std::chrono::nanoseconds next() noexcept;

 private:
  double pause_;
  double longest_;
  double factor_;
  double jitter_;
  std::uint64_t random_;
};

namespace detail {

TRUEASYNC_EXPORT void sleep_between_attempts(std::chrono::nanoseconds duration, SourceLocation location);
// A failure, or a timeout that was given as token: not a cancellation.
TRUEASYNC_EXPORT bool is_retryable(const std::exception_ptr& error) noexcept;

}  // namespace detail

template <class F>
auto retry(const RetryOptions& options, F&& function, SourceLocation location = SourceLocation::current())
    -> std::invoke_result_t<F&> {
  Backoff backoff(options);
  for (unsigned attempt = 1;; ++attempt) {
    try {
      return function();
    } catch (...) {
      const std::exception_ptr error = std::current_exception();
      if (attempt >= options.attempts || !detail::is_retryable(error)) throw;
      if (options.retry_if && !options.retry_if(error)) throw;
    }
    detail::sleep_between_attempts(backoff.next(), location);
  }
}

template <class F>
auto retry(F&& function, SourceLocation location = SourceLocation::current()) -> std::invoke_result_t<F&> {
  return retry(RetryOptions{}, std::forward<F>(function), location);
}

}  // namespace trueasync
