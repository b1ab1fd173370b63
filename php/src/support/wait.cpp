#include "support/wait.hpp"

#include "coroutine.hpp"
#include "engine/runtime.hpp"
#include "engine/switch.hpp"
#include "exceptions.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/fast_path.hpp"
#include "support/error.hpp"

namespace trueasync::php {

namespace {

// The library throws if the coroutine may not suspend here.
template <class F>
WakeReason try_wait(F&& wait, bool& failed) noexcept {
  try {
    return wait();
  } catch (...) {
    throw_exception(std::current_exception());
    failed = true;
    return WakeReason::none;
  }
}

void throw_token_cancellation(WaitRequest& request) noexcept {
  zend_object* cause = nullptr;
  for (const WaitEntry& entry : request.entries) {
    if (!entry.is_token || !entry.fired) continue;
    if (entry.result.error) cause = to_php(entry.result.error);
    entry.event->mark_error_observed();  // it becomes the previous exception
  }
  throw_exception(make_exception(exceptions.operation_canceled, "Operation has been cancelled", cause));
}

}  // namespace

bool throw_wait_error(WakeReason reason, WaitRequest* request) noexcept {
  if (__builtin_expect(engine::is_bailing, 0)) engine::bail_out();
  switch (reason) {
    case WakeReason::none:
    case WakeReason::event:
    case WakeReason::timed_out:
      return true;
    case WakeReason::error: {
      detail::ControlBlock& self = *engine::scheduler->running();
      throw_exception(request ? request->error : std::exchange(self.error, nullptr));
      return false;
    }
    case WakeReason::token:
      throw_token_cancellation(*request);
      return false;
    case WakeReason::cancelled:
      throw_exception(engine::own_cancellation());
      return false;
  }
  return true;
}

bool wait_for(WaitRequest& request, SourceLocation location) noexcept {
  bool failed = false;
  const WakeReason reason = try_wait([&] { return engine::scheduler->wait(request, location); }, failed);
  return !failed && throw_wait_error(reason, &request);
}

bool wait_for(Event& event, AwaitableSource* token, Notification& result, SourceLocation location) noexcept {
  Event* token_event = nullptr;
  if (token && !(token_event = token->event())) return false;
  WaitEntry entries[2] = {WaitEntry(event), WaitEntry()};
  if (token_event) {
    entries[1].event = token_event;
    entries[1].is_token = true;
  }
  WaitRequest request;
  request.entries = std::span(entries, token_event ? 2 : 1);
  if (!wait_for(request, location)) return false;
  result = std::move(entries[0].result);
  return true;
}

bool await_source(AwaitableSource& source, AwaitableSource* token, zval* result, SourceLocation location) noexcept {
  Notification notification;
  if (!source.is_ready()) {
    Event* event = source.event();
    if (!event || !wait_for(*event, token, notification, location)) return false;
  }
  zend_object* error = source.take(notification, result);
  if (!error) return true;
  throw_exception(error);
  return false;
}

bool yield_now(SourceLocation location) noexcept {
  bool failed = false;
  const WakeReason reason =
      try_wait([&] { return engine::scheduler->yield_fast(location, engine::SwitchEngineState()); }, failed);
  return !failed && throw_wait_error(reason, nullptr);
}

bool sleep_for(std::chrono::nanoseconds duration, SourceLocation location) noexcept {
  detail::Scheduler& scheduler = *engine::scheduler;
  bool failed = false;
  const WakeReason reason = try_wait(
      [&] { return scheduler.sleep_until(detail::deadline_after(scheduler.reactor().now(), duration), location); },
      failed);
  return !failed && throw_wait_error(reason, nullptr);
}

}  // namespace trueasync::php
