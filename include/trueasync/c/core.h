/* core.h: coroutines, microtasks and switch handlers of the C API. */
#ifndef TRUEASYNC_C_CORE_H
#define TRUEASYNC_C_CORE_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TA_SPAWN_HIGH_PRIORITY = 1 }; /* flag of ta_spawn_options: the coroutine is enqueued at the front when woken */

/* ta_spawn_options: how to start a coroutine. */
typedef struct ta_spawn_options {
  size_t size;
  ta_function entry;
  void* argument;
  /* Called with `argument` after the coroutine has finished, or if it never starts. May be NULL. */
  ta_dispose dispose;
  const char* name;  /* for dumps and error messages; may be NULL */
  size_t stack_size; /* bytes; 0: the runtime's stack_size */
  uint64_t flags;
} ta_spawn_options;

/* ta_coroutine_state: created (not yet run), running, suspended, ready (woken, in the ready queue) or finished. */
typedef uint32_t ta_coroutine_state;
enum {
  TA_COROUTINE_CREATED = 0,
  TA_COROUTINE_RUNNING = 1,
  TA_COROUTINE_SUSPENDED = 2,
  TA_COROUTINE_READY = 3,
  TA_COROUTINE_FINISHED = 4
};

/* ta_coroutine_info: a snapshot of one coroutine, filled by info(). `name` and the locations stay valid as long as the
 * handle. */
typedef struct ta_coroutine_info {
  size_t size;
  uint64_t id;
  const char* name; /* empty string if the coroutine has no name */
  ta_location spawn_location;
  ta_location suspend_location;
  ta_coroutine_state state;
  uint8_t cancel_requested;
  uint8_t cancelled; /* 1 if the coroutine finished by cancellation */
  uint8_t reserved[2];
} ta_coroutine_info;

/* ta_switch_kind: the coroutine is entered, left, or left for the last time. */
typedef uint32_t ta_switch_kind;
enum { TA_SWITCH_ENTER = 0, TA_SWITCH_LEAVE = 1, TA_SWITCH_FINISH = 2 };
/* ta_switch_handler: called at the switches of one coroutine. Returns true to stay installed. Must not suspend. */
typedef bool (*ta_switch_handler)(ta_coroutine* coroutine, ta_switch_kind kind, void* argument);

/* ta_core_table: the functions of this header. */
typedef struct ta_core_table {
  ta_table_head head;

  /* The running coroutine. Borrowed; NULL outside a runtime. */
  ta_coroutine* (*current)(void);
  /* Creates a coroutine and adds it to the ready queue. If `coroutine` is not NULL, it gets a handle that the caller
   * must release(). If the coroutine fails and its last handle is released before its error is observed, the error is
   * unhandled and the runtime shuts down. */
  ta_status (*spawn)(const ta_spawn_options* options, ta_coroutine** coroutine, ta_location location, ta_error* error);
  void (*retain)(ta_coroutine* coroutine);
  void (*release)(ta_coroutine* coroutine);
  /* Suspends until the coroutine has finished and returns the status and message of its entry function.
   * TA_TARGET_CANCELLED if it was cancelled. */
  ta_status (*await)(ta_coroutine* coroutine, int64_t timeout_ns, ta_location location, ta_error* error);
  /* Requests cancellation. A coroutine that has not started never runs; a wait of a suspended coroutine returns
   * TA_CANCELLED; on a finished coroutine the call has no effect. */
  ta_status (*cancel)(ta_coroutine* coroutine, ta_error* error);
  ta_status (*info)(ta_coroutine* coroutine, ta_coroutine_info* info, ta_error* error);
  /* The coroutine as an event that fires when it finishes. Borrowed from the coroutine. */
  ta_event* (*event)(ta_coroutine* coroutine);

  /* Moves the current coroutine to the end of the ready queue. */
  ta_status (*yield)(ta_location location, ta_error* error);
  /* Suspends the current coroutine for at least this long. */
  ta_status (*sleep)(int64_t duration_ns, ta_location location, ta_error* error);
  /* Runs `function` with cancellation deferred and returns its status; TA_CANCELLED if it returned TA_OK and
   * cancellation was requested in between. */
  ta_status (*protect)(ta_function function, void* argument, ta_error* error);
  /* Runs `function` on the thread's own stack, for libraries that check their stack bounds. It must not suspend. */
  ta_status (*run_on_thread_stack)(ta_function function, void* argument, ta_error* error);

  /* Queues `function` to run before the next switch, on the stack of the coroutine that suspends. It must not suspend.
   * If `microtask` is not NULL, it gets a handle that the caller must release with release_microtask(). A cancelled
   * microtask does not run; its `dispose` is called in any case. */
  ta_status (*queue_microtask)(ta_function function, void* argument, ta_dispose dispose, ta_microtask** microtask,
                               ta_error* error);
  void (*cancel_microtask)(ta_microtask* microtask);
  void (*release_microtask)(ta_microtask* microtask);

  /* Installs a handler for the switches of `coroutine` (NULL: the current coroutine). `id` gets the id for
   * remove_switch_handler(). */
  ta_status (*add_switch_handler)(ta_coroutine* coroutine, ta_switch_handler handler, void* argument, uint64_t* id,
                                  ta_error* error);
  /* Removes a handler. TA_EMPTY if the handler is not installed. */
  ta_status (*remove_switch_handler)(ta_coroutine* coroutine, uint64_t id, ta_error* error);

  /* Starts a graceful shutdown of this thread's runtime: cancels every coroutine. Returns immediately. */
  ta_status (*shut_down)(ta_error* error);
} ta_core_table;

#ifdef __cplusplus
}
#endif

#endif
