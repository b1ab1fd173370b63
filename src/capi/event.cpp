// The event table of the C API: waits, user-defined events and callbacks.
#include <memory>

#include "capi/event_adapter.hpp"
#include "capi/tables.hpp"
#include "reactor/timer_queue.hpp"

namespace trueasync::detail {

namespace {

ta_status wait(ta_event* event, int64_t timeout_ns, uintptr_t* value, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    const Ref<Event> keep_alive(event_of(event));
    const Notification result = wait_for(*keep_alive, timeout_ns, to_location(location), "wait");
    if (value) *value = result.value;
    if (!result.error) return TA_OK;
    keep_alive->mark_error_observed();
    return set_error_from(error, result.error);
  });
}

// WaitItems: the wait entries of the items passed to wait_many(). Retains the events.
class WaitItems {
 public:
  explicit WaitItems(std::span<ta_wait_item> items) : items_(items) {
    if (items.size() > kInline) heap_ = std::make_unique<WaitEntry[]>(items.size());
    for (ta_wait_item& item : items) {
      item.value = item.fired = 0;
      item.status = TA_OK;
      event_of(item.event);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      entries()[i].event = event_of(items[i].event);
      entries()[i].event->retain();  // its owner may release it during the wait
    }
  }
  WaitItems(const WaitItems&) = delete;
  WaitItems& operator=(const WaitItems&) = delete;
  ~WaitItems() {
    for (WaitEntry& entry : entries()) entry.event->release();
  }

  std::span<WaitEntry> entries() noexcept { return {heap_ ? heap_.get() : inline_, items_.size()}; }

  // Writes the result of each event to its item and returns the first failure.
  ta_status store_results(ta_error* error) noexcept {
    ta_status first = TA_OK;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      WaitEntry& entry = entries()[i];
      items_[i].fired = entry.fired;
      if (!entry.fired) continue;
      items_[i].value = entry.result.value;
      if (!entry.result.error) continue;
      entry.event->mark_error_observed();
      items_[i].status = set_error_from(first == TA_OK ? error : nullptr, entry.result.error);
      if (first == TA_OK) first = items_[i].status;
    }
    return first;
  }

 private:
  static constexpr std::size_t kInline = 8;
  std::span<ta_wait_item> items_;
  WaitEntry inline_[kInline];
  std::unique_ptr<WaitEntry[]> heap_;
};

ta_status wait_many(ta_wait_item* items, size_t count, size_t needed, int64_t timeout_ns, ta_location location,
                    ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    if (count == 0 || needed == 0 || needed > count) {
      throw MisuseError("wait_many: needed must be 1 to count (needed " + std::to_string(needed) + ", count " +
                        std::to_string(count) + ")");
    }
    Scheduler& scheduler = require_scheduler("wait_many");
    WaitItems wait_items(std::span(require_non_null(items, "the items"), count));
    WaitRequest request;
    request.entries = wait_items.entries();
    request.needed = static_cast<std::uint32_t>(needed);
    request.stop_at_error = true;
    if (timeout_ns >= 0)
      request.deadline = deadline_after(scheduler.reactor().now(), std::chrono::nanoseconds(timeout_ns));
    const WakeReason reason = scheduler.wait(request, to_location(location));
    if (reason == WakeReason::event) return wait_items.store_results(error);
    wait_items.store_results(nullptr);
    throw_wait_failure(scheduler, reason, request);
    return TA_OK;
  });
}

ta_status create(const ta_event_type* caller_type, void* data, ta_event** event, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const ta_event_type type = read_options(require_non_null(caller_type, "the event type"), "ta_event_type");
    check_flags(type.flags, TA_EVENT_EXTERNAL | TA_EVENT_BACKGROUND | TA_EVENT_ONCE, "ta_event_type.flags");
    require_non_null(event, "the output parameter `event`");
    Reactor* reactor = type.flags & TA_EVENT_EXTERNAL ? &require_scheduler("an external event").reactor() : nullptr;
    *event = handle_of(static_cast<Event*>(new CEvent(type, data, reactor)));
  });
}

CEvent& own_event(ta_event* event, const char* operation) {
  auto* own = dynamic_cast<CEvent*>(event_of(event));
  if (!own) {
    throw MisuseError(std::string(operation) + " " + event_of(event)->describe() +
                      ": the event was not created by create()");
  }
  return *own;
}

ta_status notify(ta_event* event, uintptr_t value, ta_error* error) noexcept {
  return catch_to_status(error, [&] { own_event(event, "notify").fire({value, nullptr}, "notify"); });
}

ta_status notify_failure(ta_event* event, ta_status status, int system_error, const char* message,
                         ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    if (status == TA_OK) throw MisuseError("notify_failure: the status must not be TA_OK");
    ta_error failure = empty_error();
    ta_fail(&failure, status, system_error, message);
    own_event(event, "notify_failure").fire({0, to_exception(status, failure)}, "notify_failure");
  });
}

ta_status close(ta_event* event, const char* message, ta_error* error) noexcept {
  return catch_to_status(error, [&] { own_event(event, "close").close_with(message); });
}

void* data(ta_event* event) noexcept {
  auto* own = dynamic_cast<CEvent*>(reinterpret_cast<Event*>(event));
  return own ? own->data() : nullptr;
}

void retain(ta_event* event) noexcept {
  if (event) reinterpret_cast<Event*>(event)->retain();
}

void release(ta_event* event) noexcept {
  if (event) reinterpret_cast<Event*>(event)->release();
}

size_t describe(ta_event* event, char* buffer, size_t capacity) noexcept {
  try {
    return copy_text(event_of(event)->describe(), buffer, capacity);
  } catch (...) {
    return copy_text("", buffer, capacity);
  }
}

// unsubscribe() frees it and may be called from the callback, so nothing is read from it after the callback.
struct CSubscription : Subscription {
  CSubscription(ta_event_callback function, void* function_argument) noexcept
      : call(function), argument(function_argument) {
    persistent = true;
    callback = [](Subscription& self, const Notification& notification) noexcept {
      const auto& own = static_cast<CSubscription&>(self);
      const ta_event_callback own_call = own.call;
      void* own_argument = own.argument;
      ta_event* own_event = handle_of(own.event);
      CallbackGuard guard("a callback of an event");
      CNotification c_notification(notification);
      own_call(own_event, &c_notification.get(), own_argument);
    };
  }
  ta_event_callback call;
  void* argument;
};

ta_status subscribe(ta_event* event, ta_event_callback callback, void* argument, ta_subscription** subscription,
                    ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(callback, "the callback");
    require_non_null(subscription, "the output parameter `subscription`");
    Event* target = event_of(event);
    auto* created = new CSubscription(callback, argument);
    target->retain();
    target->subscribe(*created);
    *subscription = reinterpret_cast<ta_subscription*>(created);
  });
}

void unsubscribe(ta_subscription* subscription) noexcept {
  if (!subscription) return;
  auto* own = reinterpret_cast<CSubscription*>(subscription);
  const Ref<Event> retained = Ref<Event>::adopt(own->event);
  retained->unsubscribe(*own);
  delete own;
}

ta_status start(ta_event* event, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    const std::exception_ptr failure = event_of(event)->start();
    return failure ? set_error_from(error, failure) : TA_OK;
  });
}

void stop(ta_event* event) noexcept {
  if (event) reinterpret_cast<Event*>(event)->stop();
}

}  // namespace

constinit const ta_event_table kEventTable = {
    .head = table_head<ta_event_table>(),
    .wait = &wait,
    .wait_many = &wait_many,
    .create = &create,
    .notify = &notify,
    .notify_failure = &notify_failure,
    .close = &close,
    .data = &data,
    .retain = &retain,
    .release = &release,
    .describe = &describe,
    .subscribe = &subscribe,
    .unsubscribe = &unsubscribe,
    .start = &start,
    .stop = &stop,
};

}  // namespace trueasync::detail
