// Conversions between handles, locations and timeouts of the C API and their C++ types.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "capi/options.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync.h"
#include "trueasync/event.hpp"
#include "trueasync/io/stream.hpp"

namespace trueasync::detail {

// The handle of a coroutine is its control block, the handle of an event is the Event. Both are reference-counted.
inline ControlBlock* block_of(ta_coroutine* coroutine) {
  return require_non_null(reinterpret_cast<ControlBlock*>(coroutine), "the coroutine");
}
inline ta_coroutine* handle_of(ControlBlock* block) noexcept { return reinterpret_cast<ta_coroutine*>(block); }
inline Event* event_of(ta_event* event) { return require_non_null(reinterpret_cast<Event*>(event), "the event"); }
inline ta_event* handle_of(Event* event) noexcept { return reinterpret_cast<ta_event*>(event); }

inline SourceLocation to_location(const ta_location& location) noexcept {
  return location.file ? SourceLocation(location.file, location.line) : SourceLocation();
}
inline ta_location to_location(const SourceLocation& location) noexcept { return {location.file(), location.line()}; }

inline std::optional<Duration> to_timeout(std::int64_t nanoseconds) noexcept {
  return nanoseconds < 0 ? std::nullopt : std::optional<Duration>(nanoseconds);
}

// A time of an options structure; 0: none.
inline std::optional<Duration> to_optional_time(std::int64_t nanoseconds) noexcept {
  return nanoseconds == 0 ? std::nullopt : std::optional(Duration(nanoseconds));
}

// Copies as much text as fits and returns the whole length, as snprintf does.
std::size_t copy_text(std::string_view text, char* buffer, std::size_t capacity) noexcept;

// CallbackGuard: while it exists, calls that would suspend fail with MisuseError. No effect outside a runtime.
class CallbackGuard {
 public:
  // `context` names the callback in the error message.
  explicit CallbackGuard(const char* context) noexcept;
  CallbackGuard(const CallbackGuard&) = delete;
  CallbackGuard& operator=(const CallbackGuard&) = delete;
  ~CallbackGuard();

 private:
  Scheduler* scheduler_;
  union {
    Scheduler::NoSuspend guard_;  // constructed if scheduler_ is set
  };
};

// Throws the error of a wait that no event completed: as throw_wait_error(), but an error with TA_CLOSED for a closed
// event.
void throw_wait_failure(Scheduler& scheduler, WakeReason reason, WaitRequest& request);

// Suspends until the event fires. The caller handles the error in the result. Throws as throw_wait_failure().
Notification wait_for(Event& event, std::int64_t timeout_ns, SourceLocation location, const char* operation);

}  // namespace trueasync::detail
