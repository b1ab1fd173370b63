/* The world outside: descriptors, timers, signals, triggers, names, processes. */
#ifndef TRUEASYNC_C_REACTOR_H
#define TRUEASYNC_C_REACTOR_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TA_READABLE = 1,
  TA_WRITABLE = 2,
  TA_POLL_ERROR = 4 /* only told, never asked for: an error or a hang-up; both of the others are set then */
};

/* `length` bytes of a struct sockaddr. */
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

/* Filled. */
typedef struct ta_exit_status {
  size_t size;
  int32_t code;
  int32_t signal; /* what killed it; 0: it exited */
  uint8_t known;  /* 0: somebody else reaped it, nobody can tell how it ended */
  uint8_t reserved[7];
} ta_exit_status;

typedef struct ta_reactor_table {
  ta_table_head head;

  /* Suspends until the descriptor is readable or writable, as asked for; `ready` (may be NULL) gets what it is. Errors
   * and hang-ups count as ready: TA_POLL_ERROR is told, too. The descriptor must not be closed while somebody waits. */
  ta_status (*poll)(int descriptor, uint32_t interest, int64_t timeout_ns, uint32_t* ready, ta_location location,
                    ta_error* error);
  /* Events; release() them. They are idle until somebody waits. The value of a poll event is what it is ready for. One
   * that is waited for again and again costs less than poll(): it stays registered. Release it before the descriptor is
   * closed. */
  ta_status (*poll_event)(int descriptor, uint32_t interest, ta_event** event, ta_error* error);
  /* `period` 0: it fires once. Otherwise it keeps to its grid; the value counts the periods that have passed. */
  ta_status (*timer_event)(int64_t delay, int64_t period, ta_event** event, ta_error* error);
  /* Another delay from now on. For timers only. */
  ta_status (*timer_rearm)(ta_event* event, int64_t delay, ta_error* error);
  ta_status (*signal_event)(int number, ta_event** event, ta_error* error);

  /* Wakes from any thread or signal handler. Several before somebody looks are one; what comes while nobody waits is kept.
   * No trigger_fire may begin once trigger_destroy has. */
  ta_status (*trigger_create)(ta_trigger** trigger, ta_error* error);
  void (*trigger_fire)(ta_trigger* trigger);
  ta_event* (*trigger_event)(ta_trigger* trigger); /* borrowed */
  void (*trigger_destroy)(ta_trigger* trigger);

  /* A name lookup, on a thread. It begins when somebody waits for it first. `service` may be NULL. */
  ta_status (*lookup_create)(const char* host, const char* service, ta_family family, ta_lookup** lookup,
                             ta_error* error);
  ta_event* (*lookup_event)(ta_lookup* lookup); /* borrowed */
  /* Of one that is done: fills up to `capacity` addresses; `count` gets how many there are. TA_DNS when it failed. */
  ta_status (*lookup_addresses)(ta_lookup* lookup, ta_address* addresses, size_t capacity, size_t* count,
                                ta_error* error);
  void (*lookup_destroy)(ta_lookup* lookup);
  /* All of that in one call. */
  ta_status (*resolve)(const char* host, const char* service, ta_family family, int64_t timeout_ns,
                       ta_address* addresses, size_t capacity, size_t* count, ta_location location, ta_error* error);
  /* What an address is called, "127.0.0.1:80"; returns the length of the text, as snprintf does. */
  size_t (*address_text)(const ta_address* address, char* buffer, size_t capacity);

  /* The end of a process, of ours or not. */
  ta_status (*process_watch)(int pid, ta_process** process, ta_error* error);
  ta_event* (*process_event)(ta_process* process); /* borrowed */
  /* TA_EMPTY while it runs. */
  ta_status (*process_exit)(ta_process* process, ta_exit_status* exit, ta_error* error);
  void (*process_release)(ta_process* process);

  /* The clock that limits and timers go by, in nanoseconds from some moment. Virtual in a simulation. */
  int64_t (*now)(void);
} ta_reactor_table;

#ifdef __cplusplus
}
#endif

#endif
