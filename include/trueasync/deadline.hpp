// Deadlines that are inherited through scopes: Scope::set_deadline. Every wait of a coroutine below that scope – await,
// delay, a lock, a read – ends when it has passed. Nothing is paid where none is set, and waits pay nothing for one.
//
// DeadlineError is delivered as a cancellation is. It is sticky: whoever catches it and goes on gets it again at the next
// suspension. While one is alive – during unwinding and inside the catch block – cleanup may suspend freely, and
// protect() defers it. A coroutine that is cancelled as well gets Cancelled.
//
// Threads: the runtime's; the error is a plain value.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "trueasync/error.hpp"
#include "trueasync/export.hpp"
#include "trueasync/wait.hpp"

namespace trueasync {

// The deadline of the coroutine's scope has passed, as opposed to the limit of one wait.
class TRUEASYNC_EXPORT DeadlineError : public TimeoutError {
 public:
  // `in_flight` counts the errors of the coroutine that exist; null when nobody counts.
  DeadlineError(const std::string& message, std::shared_ptr<unsigned> in_flight);
  DeadlineError(const DeadlineError& other) noexcept;
  DeadlineError& operator=(const DeadlineError&) = delete;
  ~DeadlineError() override;

 private:
  std::shared_ptr<unsigned> in_flight_;
};

// The earliest deadline above the running coroutine, and how long that is (zero when it has passed); nothing: there is
// none.
TRUEASYNC_EXPORT std::optional<TimePoint> current_deadline();
TRUEASYNC_EXPORT std::optional<std::chrono::nanoseconds> remaining_time();

}  // namespace trueasync
