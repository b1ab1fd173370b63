/* User-defined events. */
#include <stdio.h>

#include "programs.h"

/* Counts the callbacks of an event. */
struct counted {
  int starts;
  int stops;
  int disposed;
  ta_status start_status;
};

static ta_status on_start(ta_event* event, void* data, ta_error* error) {
  struct counted* counted = data;
  (void)event;
  ++counted->starts;
  return counted->start_status == TA_OK ? TA_OK : ta_fail(error, counted->start_status, 0, "cannot start");
}

static void on_stop(ta_event* event, void* data) {
  (void)event;
  ++((struct counted*)data)->stops;
}

static void on_dispose(void* data) { ++((struct counted*)data)->disposed; }

static size_t describe(void* data, char* buffer, size_t capacity) {
  return (size_t)snprintf(buffer, capacity, "an event that was started %d times", ((struct counted*)data)->starts);
}

static ta_event* create_event(struct counted* counted, uint64_t flags) {
  ta_event_type type = TA_OPTIONS(ta_event_type);
  ta_event* event = NULL;
  type.name = "a counted event";
  type.flags = flags;
  type.start = on_start;
  type.stop = on_stop;
  type.dispose = on_dispose;
  type.describe = describe;
  return ta.event->create(&type, counted, &event, NULL) == TA_OK ? event : NULL;
}

struct waiting {
  ta_event* event;
  uintptr_t value;
  ta_status status;
  char message[64];
};

static ta_status store_wait_result(void* argument, ta_error* error) {
  struct waiting* waiting = argument;
  ta_error failure = TA_ERROR_INIT;
  (void)error;
  waiting->status = ta.event->wait(waiting->event, TA_NO_TIMEOUT, &waiting->value, TA_HERE, &failure);
  memcpy(waiting->message, failure.message, sizeof waiting->message - 1);
  return TA_OK;
}

static ta_coroutine* start_waiting(struct waiting* waiting) {
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_coroutine* coroutine = NULL;
  options.entry = store_wait_result;
  options.argument = waiting;
  if (ta.core->spawn(&options, &coroutine, TA_HERE, NULL) != TA_OK) return NULL;
  ta.core->yield(TA_HERE, NULL);
  return coroutine;
}

static ta_status finish(ta_coroutine* coroutine) {
  ta_status status = ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, NULL);
  ta.core->release(coroutine);
  return status;
}

PROGRAM(user_event_wakes_waiters) {
  struct counted counted = {0, 0, 0, TA_OK};
  ta_event* event = create_event(&counted, 0);
  struct waiting waiting[2] = {{event, 0, -1, ""}, {event, 0, -1, ""}};
  (void)argument;
  REQUIRE(event && ta.event->data(event) == &counted);
  ta_coroutine* first = start_waiting(&waiting[0]);
  ta_coroutine* second = start_waiting(&waiting[1]);
  REQUIRE(ta.event->notify(event, 7, error) == TA_OK);
  REQUIRE(finish(first) == TA_OK && finish(second) == TA_OK);
  REQUIRE(waiting[0].status == TA_OK && waiting[0].value == 7 && waiting[1].value == 7);
  ta.event->retain(event);
  ta.event->release(event);
  REQUIRE(counted.disposed == 0);
  ta.event->release(event);
  REQUIRE(counted.disposed == 1);
  return TA_OK;
}

PROGRAM(user_event_starts_and_stops) {
  struct counted counted = {0, 0, 0, TA_OK};
  ta_event* event = create_event(&counted, 0);
  struct waiting waiting[2] = {{event, 0, -1, ""}, {event, 0, -1, ""}};
  char text[64];
  (void)argument;
  REQUIRE(counted.starts == 0);
  ta_coroutine* first = start_waiting(&waiting[0]);
  ta_coroutine* second = start_waiting(&waiting[1]);
  REQUIRE(counted.starts == 1 && counted.stops == 0);
  REQUIRE(ta.core->cancel(first, error) == TA_OK && finish(first) == TA_OK);
  REQUIRE(waiting[0].status == TA_CANCELLED && counted.stops == 0);
  REQUIRE(ta.event->notify(event, 0, error) == TA_OK && finish(second) == TA_OK);
  REQUIRE(counted.starts == 1 && counted.stops == 1);
  REQUIRE(ta.event->describe(event, text, sizeof text) == strlen("an event that was started 1 times"));
  REQUIRE(strcmp(text, "an event that was started 1 times") == 0);

  counted.start_status = TA_IO;
  REQUIRE(ta.event->wait(event, TA_NO_TIMEOUT, NULL, TA_HERE, error) == TA_IO &&
          strcmp(error->message, "cannot start") == 0);
  REQUIRE(counted.starts == 2 && counted.stops == 1);
  ta.event->release(event);
  return TA_OK;
}

PROGRAM(user_event_fails) {
  struct counted counted = {0, 0, 0, TA_OK};
  ta_event* event = create_event(&counted, 0);
  struct waiting waiting = {event, 0, -1, ""};
  (void)argument;
  ta_coroutine* coroutine = start_waiting(&waiting);
  REQUIRE(ta.event->notify_failure(event, TA_OK, 0, "x", NULL) == TA_MISUSE);
  REQUIRE(ta.event->notify_failure(event, TA_STATUS_USER_BASE, 3, "broken", error) == TA_OK);
  REQUIRE(finish(coroutine) == TA_OK);
  REQUIRE(waiting.status == TA_STATUS_USER_BASE && strcmp(waiting.message, "broken") == 0);
  ta.event->release(event);
  return TA_OK;
}

PROGRAM(once_event_is_replayed) {
  struct counted counted = {0, 0, 0, TA_OK};
  ta_event* event = create_event(&counted, TA_EVENT_ONCE);
  uintptr_t value = 0;
  (void)argument;
  REQUIRE(ta.event->notify(event, 5, error) == TA_OK);
  REQUIRE(ta.event->notify(event, 6, NULL) == TA_MISUSE);
  REQUIRE(ta.event->wait(event, 0, &value, TA_HERE, error) == TA_OK && value == 5);
  REQUIRE(counted.starts == 0); /* already fired: start() is not called */
  ta.event->release(event);
  return TA_OK;
}

PROGRAM(user_event_is_closed) {
  struct counted counted = {0, 0, 0, TA_OK};
  ta_event* event = create_event(&counted, 0);
  struct waiting waiting = {event, 0, -1, ""};
  (void)argument;
  ta_coroutine* coroutine = start_waiting(&waiting);
  REQUIRE(ta.event->close(event, "closed by the test", error) == TA_OK && finish(coroutine) == TA_OK);
  REQUIRE(waiting.status == TA_CLOSED && strcmp(waiting.message, "closed by the test") == 0);
  REQUIRE(ta.event->wait(event, TA_NO_TIMEOUT, NULL, TA_HERE, NULL) == TA_CLOSED);
  REQUIRE(ta.event->notify(event, 0, NULL) == TA_MISUSE);
  REQUIRE(counted.starts == 1 && counted.stops == 1);
  ta.event->release(event);
  REQUIRE(ta.event->close(ta.core->event(ta.core->current()), "", NULL) == TA_MISUSE);
  REQUIRE(ta.event->data(ta.core->event(ta.core->current())) == NULL);
  return TA_OK;
}

static void double_value(ta_event* event, void* data, ta_notification* notification) {
  (void)event;
  (void)data;
  notification->value *= 2;
  if (notification->value > 100) {
    notification->status = TA_STATUS_USER_BASE;
    notification->message = "too much";
  }
}

PROGRAM(before_notify_changes_notification) {
  ta_event_type type = TA_OPTIONS(ta_event_type);
  ta_event* event = NULL;
  (void)argument;
  type.before_notify = double_value;
  REQUIRE(ta.event->create(&type, NULL, &event, error) == TA_OK);
  struct waiting waiting = {event, 0, -1, ""};
  ta_coroutine* coroutine = start_waiting(&waiting);
  REQUIRE(ta.event->notify(event, 21, error) == TA_OK && finish(coroutine) == TA_OK);
  REQUIRE(waiting.status == TA_OK && waiting.value == 42);
  coroutine = start_waiting(&waiting);
  REQUIRE(ta.event->notify(event, 51, error) == TA_OK && finish(coroutine) == TA_OK);
  REQUIRE(waiting.status == TA_STATUS_USER_BASE && strcmp(waiting.message, "too much") == 0);
  ta.event->release(event);
  return TA_OK;
}

PROGRAM(external_event_is_no_deadlock) {
  struct counted counted = {0, 0, 0, TA_OK};
  ta_event* event = create_event(&counted, TA_EVENT_EXTERNAL);
  (void)argument;
  REQUIRE(event);
  REQUIRE(ta.event->wait(event, TA_MILLISECONDS(1), NULL, TA_HERE, NULL) == TA_TIMEOUT);
  ta.event->release(event);
  event = create_event(&counted, TA_EVENT_EXTERNAL | TA_EVENT_BACKGROUND);
  REQUIRE(ta.event->wait(event, TA_NO_TIMEOUT, NULL, TA_HERE, error) == TA_DEADLOCK);
  ta.event->release(event);
  return TA_OK;
}

PROGRAM(event_without_source_is_deadlock) {
  struct counted counted = {0, 0, 0, TA_OK};
  ta_event* event = create_event(&counted, 0);
  char buffer[sizeof(ta_error) + 4096];
  ta_error* report = (ta_error*)(void*)buffer;
  (void)argument;
  report->size = sizeof buffer;
  REQUIRE(ta.event->wait(event, TA_NO_TIMEOUT, NULL, TA_HERE, report) == TA_DEADLOCK);
  REQUIRE(strstr(report->message, "an event that was started 1 times") && strstr(report->message, "events.c"));
  ta.event->release(event);
  return error ? TA_OK : TA_MISUSE;
}

PROGRAM(wait_for_any_and_all) {
  struct counted counted = {0, 0, 0, TA_OK};
  ta_event* events[10];
  ta_wait_item items[10];
  (void)argument;
  for (int i = 0; i < 10; ++i) {
    events[i] = create_event(&counted, i == 9 ? 0 : TA_EVENT_ONCE);
    items[i].event = events[i];
  }
  REQUIRE(ta.event->wait_many(items, 0, 0, TA_NO_TIMEOUT, TA_HERE, NULL) == TA_MISUSE);
  REQUIRE(ta.event->wait_many(items, 2, 3, TA_NO_TIMEOUT, TA_HERE, NULL) == TA_MISUSE);
  REQUIRE(ta.event->wait_many(items, 3, 1, TA_MILLISECONDS(1), TA_HERE, NULL) == TA_TIMEOUT);
  REQUIRE(!items[0].fired && counted.starts == counted.stops);
  REQUIRE(ta.event->notify(events[1], 11, error) == TA_OK);
  REQUIRE(ta.event->wait_many(items, 3, 1, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK);
  REQUIRE(!items[0].fired && items[1].fired && items[1].value == 11 && !items[2].fired);
  for (int i = 0; i < 9; ++i) {
    if (i != 1) REQUIRE(ta.event->notify(events[i], (uintptr_t)i, error) == TA_OK);
  }
  REQUIRE(ta.event->wait_many(items, 9, 9, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK);
  REQUIRE(items[8].fired && items[8].value == 8);
  REQUIRE(ta.event->wait_many(items, 10, 10, TA_MILLISECONDS(1), TA_HERE, NULL) == TA_TIMEOUT);
  REQUIRE(counted.starts == counted.stops);

  /* A failure ends the wait. */
  struct counted failing = {0, 0, 0, TA_OK};
  ta_event* broken = create_event(&failing, TA_EVENT_ONCE);
  REQUIRE(ta.event->notify_failure(broken, TA_STATUS_USER_BASE, 0, "broken", error) == TA_OK);
  items[0].event = events[9];
  items[1].event = broken;
  REQUIRE(ta.event->wait_many(items, 2, 2, TA_NO_TIMEOUT, TA_HERE, error) == TA_STATUS_USER_BASE);
  REQUIRE(items[1].status == TA_STATUS_USER_BASE && strcmp(error->message, "broken") == 0);
  ta.event->release(broken);
  for (int i = 0; i < 10; ++i) ta.event->release(events[i]);
  return TA_OK;
}

struct calls {
  int count;
  uintptr_t last;
  ta_status status;
  ta_status suspended;
  ta_subscription* subscription;
  int unsubscribe_after;
};

static void count_call(ta_event* event, const ta_notification* notification, void* argument) {
  struct calls* calls = argument;
  (void)event;
  ++calls->count;
  calls->last = notification->value;
  calls->status = notification->status;
  calls->suspended = ta.core->yield(TA_HERE, NULL);
  if (calls->count == calls->unsubscribe_after) ta.event->unsubscribe(calls->subscription);
}

PROGRAM(event_callbacks) {
  struct counted counted = {0, 0, 0, TA_OK};
  struct calls calls = {0, 0, -1, -1, NULL, 3};
  ta_event* event = create_event(&counted, 0);
  (void)argument;
  REQUIRE(ta.event->subscribe(event, count_call, &calls, &calls.subscription, error) == TA_OK);
  REQUIRE(counted.starts == 0);
  REQUIRE(ta.event->start(event, error) == TA_OK && counted.starts == 1);
  REQUIRE(ta.event->notify(event, 1, error) == TA_OK && calls.count == 1 && calls.last == 1 && calls.status == TA_OK);
  REQUIRE(calls.suspended == TA_MISUSE); /* a callback must not suspend */
  REQUIRE(ta.event->notify_failure(event, TA_IO, 5, "x", error) == TA_OK && calls.count == 2 && calls.status == TA_IO);
  ta.event->release(event); /* the subscription retains it */
  REQUIRE(counted.disposed == 0);
  ta.event->stop(event);
  REQUIRE(counted.stops == 1);
  REQUIRE(ta.event->notify(event, 3, error) == TA_OK && calls.count == 3); /* unsubscribes and releases the event */
  REQUIRE(counted.disposed == 1);
  return TA_OK;
}

static ta_status suspend_in_start(ta_event* event, void* data, ta_error* error) {
  (void)event;
  *(ta_status*)data = ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error);
  return *(ta_status*)data;
}

PROGRAM(hooks_must_not_suspend) {
  ta_event_type type = TA_OPTIONS(ta_event_type);
  ta_event* event = NULL;
  ta_status status = TA_OK;
  (void)argument;
  type.start = suspend_in_start;
  REQUIRE(ta.event->create(&type, &status, &event, error) == TA_OK);
  REQUIRE(ta.event->wait(event, TA_NO_TIMEOUT, NULL, TA_HERE, error) == TA_MISUSE && status == TA_MISUSE);
  REQUIRE(strstr(error->message, "must not suspend"));
  ta.event->release(event);
  return TA_OK;
}
