#include "capi/handles.hpp"

#include <cstring>
#include <new>

#include "reactor/timer_queue.hpp"

namespace trueasync::detail {

std::size_t copy_text(std::string_view text, char* buffer, std::size_t capacity) noexcept {
  if (buffer && capacity != 0) {
    const std::size_t length = text.size() < capacity ? text.size() : capacity - 1;
    if (length != 0) std::memcpy(buffer, text.data(), length);
    buffer[length] = 0;
  }
  return text.size();
}

CallbackGuard::CallbackGuard(const char* context) noexcept : scheduler_(Scheduler::current()) {
  if (scheduler_) ::new (&guard_) Scheduler::NoSuspend(*scheduler_, context);
}

CallbackGuard::~CallbackGuard() {
  if (scheduler_) guard_.~NoSuspend();
}

void throw_wait_failure(Scheduler& scheduler, WakeReason reason, WaitRequest& request) {
  if (reason == WakeReason::error) {
    for (const WaitEntry& entry : request.entries) {
      if (entry.event->is_closed())
        throw StatusError(TA_CLOSED, 0, "wait for " + entry.event->describe() + ": the event is closed");
    }
  }
  throw_wait_error(scheduler, reason, &request);
}

Notification wait_for(Event& event, std::int64_t timeout_ns, SourceLocation location, const char* operation) {
  Scheduler& scheduler = require_scheduler(operation);
  const Ref<Event> keep_alive(&event);
  WaitEntry entry(event);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  if (timeout_ns >= 0)
    request.deadline = deadline_after(scheduler.reactor().now(), std::chrono::nanoseconds(timeout_ns));
  const WakeReason reason = scheduler.wait(request, location);
  if (reason != WakeReason::event) throw_wait_failure(scheduler, reason, request);
  return entry.result;
}

}  // namespace trueasync::detail
