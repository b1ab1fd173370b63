// Handles, places and limits of the C interface as the C++ side has them.
#pragma once

#include <chrono>
#include <string_view>

#include "capi/options.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync.h"
#include "trueasync/stream.hpp"
#include "trueasync/wait.hpp"

namespace trueasync::detail {

// A coroutine's handle is its control block, an event's the event: counted, shared with the C++ side.
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

// As snprintf does: the whole length, as much text as there is room for.
std::size_t copy_text(std::string_view text, char* buffer, std::size_t capacity) noexcept;

// Code of a C program that runs where nobody may wait: what tries to is told so. Outside a runtime it does nothing.
class CallbackGuard {
 public:
  explicit CallbackGuard(const char* who) noexcept;
  CallbackGuard(const CallbackGuard&) = delete;
  CallbackGuard& operator=(const CallbackGuard&) = delete;
  ~CallbackGuard();

 private:
  Scheduler* scheduler_;
  union {
    Scheduler::NoSuspend guard_;  // where there is a scheduler
  };
};

// Throws why a wait ended that none of its events has ended: throw_wait_error, and what becomes TA_CLOSED.
void throw_wait_failure(Scheduler& scheduler, WakeReason reason, WaitRequest& request);

// Suspends until the event fires; its own failure is not looked at. Throws as the one before.
Notification wait_for(Event& event, std::int64_t timeout_ns, SourceLocation location, const char* what);

}  // namespace trueasync::detail
