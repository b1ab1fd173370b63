/* reactor.h: descriptors, timers, signals, triggers, name lookups and processes in the C API. */
#ifndef TRUEASYNC_C_REACTOR_H
#define TRUEASYNC_C_REACTOR_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Readiness of a descriptor. */
enum {
  TA_READABLE = 1,
  TA_WRITABLE = 2,
  TA_POLL_ERROR = 4 /* output only: error or hang-up; TA_READABLE and TA_WRITABLE are set as well */
};

/* ta_address: `length` bytes of a struct sockaddr. */
typedef struct ta_address {
  uint32_t length;
  uint32_t reserved;
  union {
    uint64_t alignment;
    unsigned char bytes[128];
  } storage;
} ta_address;

typedef uint32_t ta_family;
enum { TA_FAMILY_ANY = 0, TA_FAMILY_IPV4 = 1, TA_FAMILY_IPV6 = 2 };

/* ta_exit_status: how a process ended, filled by process_exit(). */
typedef struct ta_exit_status {
  size_t size;
  int32_t code;
  int32_t signal; /* signal that killed the process; 0: it exited with `code` */
  uint8_t known;  /* 0: the process was reaped elsewhere, code and signal are unknown */
  uint8_t reserved[7];
} ta_exit_status;

/* ta_reactor_table: the functions of this header. */
typedef struct ta_reactor_table {
  ta_table_head head;

  /* Suspends until the descriptor is ready for `interest`; `ready` (may be NULL) gets its readiness. Errors and
   * hang-ups count as ready and set TA_POLL_ERROR. The descriptor must not be closed during the wait. */
  ta_status (*poll)(int descriptor, uint32_t interest, int64_t timeout_ns, uint32_t* ready, ta_location location,
                    ta_error* error);
  /* Readiness of a descriptor as an event, which the caller must release(). Its value is the readiness. Repeated waits
   * on one event cost less than poll(), because the descriptor stays registered. Release the event before closing the
   * descriptor. */
  ta_status (*poll_event)(int descriptor, uint32_t interest, ta_event** event, ta_error* error);
  /* A timer event. With a period of 0 it fires once after the delay. Otherwise it fires every period without drift; its
   * value is the number of periods that have passed. */
  ta_status (*timer_event)(int64_t delay_ns, int64_t period_ns, ta_event** event, ta_error* error);
  /* Sets a new delay, counted from now. Timer events only. */
  ta_status (*timer_rearm)(ta_event* event, int64_t delay_ns, ta_error* error);
  ta_status (*signal_event)(int number, ta_event** event, ta_error* error);

  /* A trigger wakes its waiters from any thread or signal handler. Fires coalesce; a fire without a waiter is kept for
   * the next wait. trigger_fire() must not start after trigger_destroy() has started. */
  ta_status (*trigger_create)(ta_trigger** trigger, ta_error* error);
  void (*trigger_fire)(ta_trigger* trigger);
  ta_event* (*trigger_event)(ta_trigger* trigger); /* borrowed */
  void (*trigger_destroy)(ta_trigger* trigger);

  /* A name lookup on a worker thread. It starts with the first wait. `service` may be NULL. */
  ta_status (*lookup_create)(const char* host, const char* service, ta_family family, ta_lookup** lookup,
                             ta_error* error);
  ta_event* (*lookup_event)(ta_lookup* lookup); /* borrowed */
  /* The result of a completed lookup: fills up to `capacity` addresses; `count` gets the number of addresses found.
   * TA_DNS if the lookup failed. */
  ta_status (*lookup_addresses)(ta_lookup* lookup, ta_address* addresses, size_t capacity, size_t* count,
                                ta_error* error);
  void (*lookup_destroy)(ta_lookup* lookup);
  /* Performs a lookup in one call. */
  ta_status (*resolve)(const char* host, const char* service, ta_family family, int64_t timeout_ns,
                       ta_address* addresses, size_t capacity, size_t* count, ta_location location, ta_error* error);
  /* Formats an address such as "127.0.0.1:80" and returns the length of the text, as snprintf does. */
  size_t (*address_text)(const ta_address* address, char* buffer, size_t capacity);

  /* The end of a process as an event; the process need not be a child. */
  ta_status (*process_watch)(int pid, ta_process** process, ta_error* error);
  ta_event* (*process_event)(ta_process* process); /* borrowed */
  /* TA_EMPTY while the process runs. */
  ta_status (*process_exit)(ta_process* process, ta_exit_status* exit, ta_error* error);
  void (*process_release)(ta_process* process);

  /* The clock of timeouts and timers, in nanoseconds since an unspecified start. Virtual in a simulation. */
  int64_t (*now)(void);
} ta_reactor_table;

#ifdef __cplusplus
}
#endif

#endif
