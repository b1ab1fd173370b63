// deadline.hpp: deadlines inherited through scopes, see Scope::set_deadline() and Scope::set_timeout(). Every wait
// of a coroutine in that scope or a child scope ends when the deadline passes. Waits cost nothing extra, with or
// without a deadline.
//
// DeadlineError is delivered like a cancellation. It is sticky: a coroutine that catches it and continues gets it again
// at the next suspension point. While a DeadlineError exists, during unwinding and inside the catch block, cleanup code
// may suspend. protect() defers delivery. A coroutine that is also cancelled gets Cancelled.
//
// Thread safety: one runtime; the error is a plain value.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "trueasync/detail/access.hpp"
#include "trueasync/error.hpp"
#include "trueasync/export.hpp"
#include "trueasync/wait.hpp"

namespace trueasync {

// DeadlineError: the deadline of the coroutine's scope has passed, in contrast to the timeout of one wait.
class TRUEASYNC_EXPORT DeadlineError : public TimeoutError {
 public:
  DeadlineError(const DeadlineError& other) noexcept;
  DeadlineError& operator=(const DeadlineError&) = delete;
  ~DeadlineError() override;

 private:
  friend struct detail::Access;
  // `in_flight` counts the existing errors of the coroutine.
  DeadlineError(const std::string& message, std::shared_ptr<unsigned> in_flight);

  std::shared_ptr<unsigned> in_flight_;
};

// The earliest deadline that applies to the running coroutine, and the remaining time (zero if it has passed).
// std::nullopt if there is no deadline.
TRUEASYNC_EXPORT std::optional<TimePoint> current_deadline();
TRUEASYNC_EXPORT std::optional<std::chrono::nanoseconds> remaining_time();

}  // namespace trueasync
