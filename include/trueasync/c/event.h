/* event.h: waiting for events, and user-defined events, in the C API. */
#ifndef TRUEASYNC_C_EVENT_H
#define TRUEASYNC_C_EVENT_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ta_wait_item: one event of wait_many(). The caller sets `event`, the wait fills the other members. */
typedef struct ta_wait_item {
  ta_event* event;
  uintptr_t value;  /* event-specific: a mask or a count */
  ta_status status; /* the status the event fired with */
  uint32_t fired;   /* 1 if the event fired */
} ta_wait_item;

/* ta_notification: what an event reports when it fires. Valid during the call. */
typedef struct ta_notification {
  size_t size;
  uintptr_t value;
  ta_status status;
  int32_t system;      /* errno, or 0 */
  const char* message; /* empty string if `status` is TA_OK */
} ta_notification;

enum {
  /* Flags of ta_event_type. */
  /* Fired from outside the runtime: while a coroutine waits for this event, the program is not deadlocked. */
  TA_EVENT_EXTERNAL = 1,
  /* With TA_EVENT_EXTERNAL: the event neither keeps the program alive nor counts for deadlock detection. */
  TA_EVENT_BACKGROUND = 2,
  /* Fires at most once; a later wait gets the same result immediately. */
  TA_EVENT_ONCE = 4
};

/* ta_event_type: the callbacks and flags of a user-defined event. Every callback may be NULL and must not suspend. */
typedef struct ta_event_type {
  size_t size;
  const char* name; /* for dumps; not copied, must stay valid */
  uint64_t flags;
  /* Called when the first waiter subscribes. An error becomes the result of that wait. */
  ta_status (*start)(ta_event* event, void* data, ta_error* error);
  /* Called when the last waiter unsubscribes. */
  void (*stop)(ta_event* event, void* data);
  /* Called before the subscribers are notified; may change `notification`. */
  void (*before_notify)(ta_event* event, void* data, ta_notification* notification);
  /* Writes one line for dumps to `buffer` and returns its length, as snprintf does. */
  size_t (*describe)(void* data, char* buffer, size_t capacity);
  /* Called when the last reference is released. */
  ta_dispose dispose;
} ta_event_type;

/* ta_event_callback: called on the runtime's thread when a subscribed event fires. Must not suspend. */
typedef void (*ta_event_callback)(ta_event* event, const ta_notification* notification, void* argument);

/* ta_event_table: the functions of this header. */
typedef struct ta_event_table {
  ta_table_head head;

  /* Suspends until the event fires. `value` may be NULL. Returns the status the event fired with. */
  ta_status (*wait)(ta_event* event, int64_t timeout_ns, uintptr_t* value, ta_location location, ta_error* error);
  /* Suspends until `needed` events have fired: 1 for any, `count` for all. An event that fires with an error ends the
   * wait with its status. All events are started together; on return, the events that did not fire are stopped. */
  ta_status (*wait_many)(ta_wait_item* items, size_t count, size_t needed, int64_t timeout_ns, ta_location location,
                         ta_error* error);

  /* Creates a user-defined event, which the caller must release(). `type` is copied, the text of its name is not. */
  ta_status (*create)(const ta_event_type* type, void* data, ta_event** event, ta_error* error);
  /* notify(), notify_failure() and close() accept user-defined events only; other events fail with TA_MISUSE. */
  ta_status (*notify)(ta_event* event, uintptr_t value, ta_error* error);
  ta_status (*notify_failure)(ta_event* event, ta_status status, int system_error, const char* message,
                              ta_error* error);
  /* Closes the event. Waiters get TA_CLOSED with this message; later waits fail. */
  ta_status (*close)(ta_event* event, const char* message, ta_error* error);
  void* (*data)(ta_event* event); /* NULL unless user-defined */

  void (*retain)(ta_event* event);
  void (*release)(ta_event* event);
  /* Writes one line for dumps to `buffer` and returns its length, as snprintf does. */
  size_t (*describe)(ta_event* event, char* buffer, size_t capacity);

  /* Calls `callback` each time the event fires, until unsubscribe(), which may be called from the callback. The event
   * is retained until then. A subscription does not start the event; a wait or start() does. Every start() needs a
   * stop(). */
  ta_status (*subscribe)(ta_event* event, ta_event_callback callback, void* argument, ta_subscription** subscription,
                         ta_error* error);
  void (*unsubscribe)(ta_subscription* subscription);
  ta_status (*start)(ta_event* event, ta_error* error);
  void (*stop)(ta_event* event);
} ta_event_table;

#ifdef __cplusplus
}
#endif

#endif
