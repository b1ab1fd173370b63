/* runtime.h: running a runtime from C, for a program whose main() is in C and for hosts with their own event loop. */
#ifndef TRUEASYNC_C_RUNTIME_H
#define TRUEASYNC_C_RUNTIME_H

#include "trueasync/c/core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TA_RUNTIME_MEASURE_STACKS = 1 }; /* flag of ta_runtime_options: record exact stack high-water marks */

/* ta_runtime_options: options of a runtime. */
typedef struct ta_runtime_options {
  size_t size;
  size_t stack_size;           /* bytes per coroutine; 0: 64 KiB */
  size_t max_stacks;           /* 0: no limit */
  const int* shutdown_signals; /* each starts a graceful shutdown; may be NULL */
  size_t shutdown_signal_count;
  int64_t shutdown_timeout_ns; /* time for cleanup before a forced shutdown; 0: no timeout */
  /* Called with an unhandled error. Returns true if the error is handled; otherwise, and if NULL, the runtime shuts
   * down. Must not suspend. */
  bool (*on_unhandled)(void* context, ta_coroutine* coroutine, const ta_error* failure);
  void* context; /* first argument of on_unhandled */
  uint64_t flags;
} ta_runtime_options;

/* ta_statistics: counters of a runtime, filled by statistics(). The `leaked_` members count what the runtime still
 * holds; after a clean detach() they are 0. */
typedef struct ta_statistics {
  size_t size;
  uint64_t spawned;
  uint64_t finished;
  uint64_t switches;
  uint64_t polls_without_wait;
  uint64_t polls_blocking;
  uint64_t microtasks;
  uint64_t leaked_coroutines;
  uint64_t leaked_stacks;
  uint64_t leaked_timers;
  uint64_t leaked_events;
  uint64_t leaked_microtasks;
} ta_statistics;

struct ta_api;
typedef ta_status (*ta_get_api_function)(uint32_t major, uint32_t minor, struct ta_api* api, ta_error* error);

/* ta_runtime_table: the functions of this header. */
typedef struct ta_runtime_table {
  ta_table_head head;

  /* Runs `main` as a coroutine on this thread's own stack, then all coroutines that it left running. Returns the status
   * of `main`, or the first unhandled error. `options` may be NULL. */
  ta_status (*run)(const ta_runtime_options* options, ta_function main, void* argument, ta_location location,
                   ta_error* error);

  /* The steps of run(), for a program with its own event loop. attach() makes the caller's stack the main coroutine;
   * detach() runs the remaining coroutines until they finish. */
  ta_status (*create)(const ta_runtime_options* options, ta_runtime** runtime, ta_error* error);
  ta_status (*attach)(ta_runtime* runtime, ta_location location, ta_error* error);
  ta_status (*detach)(ta_runtime* runtime, ta_location location, ta_error* error);
  /* Polls the reactor without blocking, then runs every ready coroutine once. *more is set if coroutines are ready. */
  ta_status (*run_once)(ta_runtime* runtime, bool* more, ta_location location, ta_error* error);
  /* Suspends the main coroutine until the event fires; other coroutines run. */
  ta_status (*run_until)(ta_runtime* runtime, ta_event* event, ta_location location, ta_error* error);
  /* A descriptor that is readable when run_once() has work; -1 if the reactor has none. */
  int (*backend_fd)(ta_runtime* runtime);
  /* Time until run_once() must be called at the latest; TA_NO_TIMEOUT if no timer is armed. */
  int64_t (*next_timeout_ns)(ta_runtime* runtime);
  /* Installs a switch handler on the main coroutine, called with TA_SWITCH_ENTER at its start. Call before attach(). */
  ta_status (*on_main_start)(ta_runtime* runtime, ta_switch_handler handler, void* argument, ta_error* error);
  void (*shut_down)(ta_runtime* runtime);
  ta_status (*statistics)(ta_runtime* runtime, ta_statistics* statistics, ta_error* error);
  void (*destroy)(ta_runtime* runtime);

  /* Loads a shared object, calls its ta_extension_main with `argument` and returns its status. The object stays loaded
   * until the process ends. */
  ta_status (*load_extension)(const char* path, void* argument, ta_error* error);
} ta_runtime_table;

#ifdef __cplusplus
}
#endif

#endif
