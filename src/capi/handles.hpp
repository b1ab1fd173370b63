// Handles, places and limits of the C interface as the C++ side has them.
#pragma once

#include <chrono>
#include <string_view>

#include "capi/options.hpp"
#include "scheduler/face.hpp"
#include "trueasync.h"
#include "trueasync/stream.hpp"
#include "trueasync/wait.hpp"

namespace trueasync::detail {

// A coroutine's handle is its control block, an event's the event: counted, shared with the C++ side.
inline ControlBlock* block_of(ta_coroutine* coroutine) {
  return checked(reinterpret_cast<ControlBlock*>(coroutine), "the coroutine");
}
inline ta_coroutine* handle_of(ControlBlock* block) noexcept { return reinterpret_cast<ta_coroutine*>(block); }
inline Event* event_of(ta_event* event) { return checked(reinterpret_cast<Event*>(event), "the event"); }
inline ta_event* handle_of(Event* event) noexcept { return reinterpret_cast<ta_event*>(event); }

inline Place place_of(const ta_place& place) noexcept { return place.file ? Place(place.file, place.line) : Place(); }
inline ta_place place_of(const Place& place) noexcept { return {place.file(), place.line()}; }

inline Limit limit_of(std::int64_t nanoseconds) noexcept {
  return nanoseconds < 0 ? Limit() : Limit(std::chrono::nanoseconds(nanoseconds));
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

// Throws why a wait ended that none of its events has ended: raise_unless_well, and what becomes TA_CLOSED.
void raise_wait_failure(Scheduler& scheduler, WakeReason reason, WaitRequest& request);

// Suspends until the event fires; its own failure is not looked at. Throws as the one before.
Notification wait_for(Event& event, std::int64_t limit, Place place, const char* what);

}  // namespace trueasync::detail
