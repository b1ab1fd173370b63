/* Events: everything that can be waited for, and events of a program's own kind. */
#ifndef TRUEASYNC_C_EVENT_H
#define TRUEASYNC_C_EVENT_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One event of a wait; the last three are filled. `value` is the event's (a mask, a count). */
typedef struct ta_wait_item {
  ta_event* event;
  uintptr_t value;
  ta_status status; /* what it fired with */
  uint32_t fired;
} ta_wait_item;

/* What an event tells. Valid during the call. */
typedef struct ta_notification {
  size_t size;
  uintptr_t value;
  ta_status status;
  int32_t system;
  const char* message; /* "" when all is well */
} ta_notification;

enum {
  /* flags of ta_event_type */
  TA_EVENT_EXTERNAL = 1,   /* fired by something this runtime does not see: while somebody waits it is no deadlock */
  TA_EVENT_BACKGROUND = 2, /* with EXTERNAL: neither keeps the program alive nor hides a deadlock */
  TA_EVENT_ONCE = 4        /* happens once and for good: who comes later gets the same at once */
};

/* An event of the program's own kind. Hooks may be NULL and must not suspend. */
typedef struct ta_event_type {
  size_t size;
  const char* name; /* for reports */
  uint64_t flags;
  /* The first waits for it now. A failure is the result of that wait. */
  ta_status (*start)(ta_event* event, void* data, ta_error* error);
  /* Nobody waits any more. */
  void (*stop)(ta_event* event, void* data);
  /* A last look at what will be told, and the chance to change it. */
  void (*before_notify)(ta_event* event, void* data, ta_notification* notification);
  /* One line for a person; returns its length, as snprintf does. */
  size_t (*describe)(void* data, char* buffer, size_t capacity);
  /* The last reference has gone. */
  ta_dispose dispose;
} ta_event_type;

/* Called on the runtime's thread; must not suspend. */
typedef void (*ta_event_callback)(ta_event* event, const ta_notification* notification, void* argument);

typedef struct ta_event_table {
  ta_table_head head;

  /* Suspends until the event fires. `value` may be NULL. Returns the event's failure as the status. */
  ta_status (*wait)(ta_event* event, int64_t timeout_ns, uintptr_t* value, ta_location location, ta_error* error);
  /* Suspends until `needed` of them have fired: 1 for any, `count` for all. One that fires with a failure ends the wait,
   * and is its status. All are started together; by the return those that are still going are stopped. */
  ta_status (*wait_many)(ta_wait_item* items, size_t count, size_t needed, int64_t timeout_ns, ta_location location,
                         ta_error* error);

  /* An event of one's own; release() it. `kind` is copied, its name is not. */
  ta_status (*create)(const ta_event_type* kind, void* data, ta_event** event, ta_error* error);
  /* The rest of this paragraph is for such events only; others are refused with TA_MISUSE. */
  ta_status (*notify)(ta_event* event, uintptr_t value, ta_error* error);
  ta_status (*notify_failure)(ta_event* event, ta_status status, int system_error, const char* message,
                              ta_error* error);
  /* Whoever waits gets TA_CLOSED with this text, and nobody can wait for it any more. */
  ta_status (*close)(ta_event* event, const char* message, ta_error* error);
  void* (*data)(ta_event* event); /* NULL for other events */

  void (*retain)(ta_event* event);
  void (*release)(ta_event* event);
  /* Returns the length of the text, as snprintf does. */
  size_t (*describe)(ta_event* event, char* buffer, size_t capacity);

  /* A callback for each time it fires, until unsubscribe(), which may come from inside it. Somebody has to start the
   * event: a wait does, or start(). Every start() needs its stop(). The event is held until unsubscribe(). */
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
