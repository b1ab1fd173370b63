// Events in C: waiting, events of one's own kind, callbacks.
#include <memory>

#include "capi/event_adapter.hpp"
#include "capi/tables.hpp"
#include "reactor/timer_queue.hpp"

namespace trueasync::detail {

namespace {

ta_status wait(ta_event* event, int64_t timeout_ns, uintptr_t* value, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    const Ref<Event> keep(event_of(event));
    const Notification result = wait_for(*keep, timeout_ns, to_location(location), "wait");
    if (value) *value = result.value;
    if (!result.error) return TA_OK;
    keep->mark_error_observed();
    return set_error_from(error, result.error);
  });
}

// The entries of a wait for the items of a C program.
class Items {
 public:
  explicit Items(std::span<ta_wait_item> items) : items_(items) {
    if (items.size() > kInline) heap_ = std::make_unique<WaitEntry[]>(items.size());
    for (ta_wait_item& item : items) {
      item.value = item.fired = 0;
      item.status = TA_OK;
      event_of(item.event);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      entries()[i].event = event_of(items[i].event);
      entries()[i].event->retain();  // its owner may let it go while we wait
    }
  }
  Items(const Items&) = delete;
  Items& operator=(const Items&) = delete;
  ~Items() {
    for (WaitEntry& entry : entries()) entry.event->release();
  }

  std::span<WaitEntry> entries() noexcept { return {heap_ ? heap_.get() : inline_, items_.size()}; }

  // Tells each item what it did, and returns the first failure.
  ta_status tell(ta_error* error) noexcept {
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
      throw MisuseError("wait_many: " + std::to_string(needed) + " of " + std::to_string(count) + " events");
    }
    Scheduler& scheduler = require_scheduler("wait_many");
    Items waited(std::span(require_non_null(items, "the items"), count));
    WaitRequest request;
    request.entries = waited.entries();
    request.needed = static_cast<std::uint32_t>(needed);
    request.stop_at_error = true;
    if (timeout_ns >= 0)
      request.deadline = deadline_after(scheduler.reactor().now(), std::chrono::nanoseconds(timeout_ns));
    const WakeReason reason = scheduler.wait(request, to_location(location));
    if (reason == WakeReason::event) return waited.tell(error);
    waited.tell(nullptr);
    throw_wait_failure(scheduler, reason, request);
    return TA_OK;
  });
}

ta_status create(const ta_event_type* given, void* data, ta_event** event, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const ta_event_type kind = read_options(require_non_null(given, "the kind"), "ta_event_type");
    check_flags(kind.flags, TA_EVENT_EXTERNAL | TA_EVENT_BACKGROUND | TA_EVENT_ONCE, "ta_event_type.flags");
    require_non_null(event, "the event");
    Reactor* reactor = kind.flags & TA_EVENT_EXTERNAL ? &require_scheduler("an external event").reactor() : nullptr;
    *event = handle_of(static_cast<Event*>(new CEvent(kind, data, reactor)));
  });
}

CEvent& own_event(ta_event* event) {
  auto* own = dynamic_cast<CEvent*>(event_of(event));
  if (!own) throw MisuseError("only an event made by create() can be fired or closed: " + event_of(event)->describe());
  return *own;
}

ta_status notify(ta_event* event, uintptr_t value, ta_error* error) noexcept {
  return catch_to_status(error, [&] { own_event(event).fire({value, nullptr}); });
}

ta_status notify_failure(ta_event* event, ta_status status, int system_error, const char* message,
                         ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    if (status == TA_OK) throw MisuseError("notify_failure: TA_OK is no failure");
    ta_error failure = empty_error();
    ta_fail(&failure, status, system_error, message);
    own_event(event).fire({0, to_exception(status, failure)});
  });
}

ta_status close(ta_event* event, const char* message, ta_error* error) noexcept {
  return catch_to_status(error, [&] { own_event(event).close_with(message); });
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

// Freed by unsubscribe, which may come from inside the callback: nothing of it is touched after that.
struct CSubscription : Subscription {
  CSubscription(ta_event_callback what, void* with) noexcept : call(what), argument(with) {
    persistent = true;
    callback = [](Subscription& self, const Notification& notification) noexcept {
      const auto& own = static_cast<CSubscription&>(self);
      const ta_event_callback told = own.call;
      void* told_with = own.argument;
      ta_event* from = handle_of(own.event);
      CallbackGuard guard("a callback of an event");
      CNotification seen(notification);
      told(from, &seen.get(), told_with);
    };
  }
  ta_event_callback call;
  void* argument;
};

ta_status subscribe(ta_event* event, ta_event_callback callback, void* argument, ta_subscription** subscription,
                    ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(callback, "the callback");
    require_non_null(subscription, "the subscription");
    Event* target = event_of(event);
    auto* made = new CSubscription(callback, argument);
    target->retain();
    target->subscribe(*made);
    *subscription = reinterpret_cast<ta_subscription*>(made);
  });
}

void unsubscribe(ta_subscription* subscription) noexcept {
  if (!subscription) return;
  auto* own = reinterpret_cast<CSubscription*>(subscription);
  const Ref<Event> held = Ref<Event>::adopt(own->event);
  held->unsubscribe(*own);
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
