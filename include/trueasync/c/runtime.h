/* Running the runtime: for a program whose main is in C, and for hosts with a loop of their own. */
#ifndef TRUEASYNC_C_RUNTIME_H
#define TRUEASYNC_C_RUNTIME_H

#include "trueasync/c/core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TA_RUNTIME_MEASURE_STACKS = 1 }; /* flags of ta_runtime_options */

typedef struct ta_runtime_options {
  size_t size;
  size_t stack_size;           /* of a coroutine; 0: 64 KiB */
  size_t max_stacks;           /* 0: no limit of ours */
  const int* shutdown_signals; /* each starts a graceful shutdown; may be NULL */
  size_t shutdown_signal_count;
  int64_t shutdown_timeout_ns; /* nanoseconds that cleanup may take; 0: as long as it takes */
  /* A failure that nobody awaits. True: dealt with; false, or without it: the runtime shuts down. Must not suspend. */
  bool (*on_unhandled)(void* context, ta_coroutine* coroutine, const ta_error* failure);
  void* context; /* for on_unhandled */
  uint64_t flags;
} ta_runtime_options;

/* Filled. What it has done, and what is left of it: after detach() all of the second part is 0. */
typedef struct ta_statistics {
  size_t size;
  uint64_t spawned;
  uint64_t finished;
  uint64_t switches;
  uint64_t polls_without_wait;
  uint64_t polls_blocking;
  uint64_t microtasks;
  uint64_t left_coroutines;
  uint64_t left_stacks;
  uint64_t left_timers;
  uint64_t left_events;
  uint64_t left_microtasks;
} ta_statistics;

struct ta_api;
typedef ta_status (*ta_get_api_function)(uint32_t major, uint32_t minor, struct ta_api* api, ta_error* error);

typedef struct ta_runtime_table {
  ta_table_head head;

  /* Runs `main` as a coroutine on this thread's own stack, then everything it left running. Returns what main returned,
   * or else the first failure nobody awaited. `options` may be NULL. */
  ta_status (*run)(const ta_runtime_options* options, ta_function main, void* argument, ta_location location,
                   ta_error* error);

  /* The same in pieces, for a program with a loop of its own. attach() makes the caller's stack the main coroutine;
   * detach() runs what is left to its end. */
  ta_status (*create)(const ta_runtime_options* options, ta_runtime** runtime, ta_error* error);
  ta_status (*attach)(ta_runtime* runtime, ta_location location, ta_error* error);
  ta_status (*detach)(ta_runtime* runtime, ta_location location, ta_error* error);
  /* One turn: looks at the reactor without waiting, then everybody who is ready runs once. `more`: call again at once. */
  ta_status (*run_once)(ta_runtime* runtime, bool* more, ta_location location, ta_error* error);
  /* Suspends main until the event fires; everybody else runs. */
  ta_status (*run_until)(ta_runtime* runtime, ta_event* event, ta_location location, ta_error* error);
  /* Readable when turn() has something to do; -1 where there is none. */
  int (*backend_fd)(ta_runtime* runtime);
  /* How long until turn() is due at the latest; TA_NO_TIMEOUT: no timer is running. */
  int64_t (*next_timeout_ns)(ta_runtime* runtime);
  /* Added to main when it starts, and called as ENTER. Before attach(). */
  ta_status (*on_main_start)(ta_runtime* runtime, ta_switch_handler handler, void* argument, ta_error* error);
  void (*shut_down)(ta_runtime* runtime);
  ta_status (*statistics)(ta_runtime* runtime, ta_statistics* statistics, ta_error* error);
  void (*destroy)(ta_runtime* runtime);

  /* Loads a shared object and calls its ta_extension_main with `argument`; what that returns is the status. It stays
   * loaded until the process ends. */
  ta_status (*load_extension)(const char* path, void* argument, ta_error* error);
} ta_runtime_table;

#ifdef __cplusplus
}
#endif

#endif
