/* Coroutines, microtasks, switch handlers. */
#ifndef TRUEASYNC_C_CORE_H
#define TRUEASYNC_C_CORE_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TA_SPAWN_HIGH_PRIORITY = 1 }; /* flags of ta_spawn_options */

typedef struct ta_spawn_options {
  size_t size;
  ta_function entry;
  void* argument;
  ta_dispose dispose; /* of the argument, after the coroutine's end or when it never starts; may be NULL */
  const char* name;   /* may be NULL */
  size_t stack_size;  /* bytes; 0: the runtime's */
  uint64_t flags;
} ta_spawn_options;

typedef uint32_t ta_coroutine_state;
enum {
  TA_COROUTINE_CREATED = 0,
  TA_COROUTINE_RUNNING = 1,
  TA_COROUTINE_SUSPENDED = 2,
  TA_COROUTINE_READY = 3,
  TA_COROUTINE_FINISHED = 4
};

/* Filled. `name` and places live as long as the handle. */
typedef struct ta_coroutine_info {
  size_t size;
  uint64_t id;
  const char* name; /* "" without one */
  ta_location spawn_location;
  ta_location suspend_location;
  ta_coroutine_state state;
  uint8_t cancel_requested;
  uint8_t cancelled; /* it ended that way */
  uint8_t reserved[2];
} ta_coroutine_info;

typedef uint32_t ta_switch_kind;
enum { TA_SWITCH_ENTER = 0, TA_SWITCH_LEAVE = 1, TA_SWITCH_FINISH = 2 };
/* Returns whether to keep it. Must not suspend. */
typedef bool (*ta_switch_handler)(ta_coroutine* coroutine, ta_switch_kind kind, void* argument);

typedef struct ta_core_table {
  ta_table_head head;

  /* Borrowed; NULL outside a runtime. */
  ta_coroutine* (*current)(void);
  /* Starts a coroutine; it runs when the current one suspends. `coroutine` may be NULL; otherwise release() it. A failure
   * of a coroutine that nobody awaits when the last handle goes is unhandled, and shuts the runtime down. */
  ta_status (*spawn)(const ta_spawn_options* options, ta_coroutine** coroutine, ta_location location, ta_error* error);
  void (*retain)(ta_coroutine* coroutine);
  void (*release)(ta_coroutine* coroutine);
  /* Waits for its end and returns what its entry returned, with its text; TA_TARGET_CANCELLED when it was cancelled. */
  ta_status (*await)(ta_coroutine* coroutine, int64_t timeout_ns, ta_location location, ta_error* error);
  /* Asks it to end. Not started: it never starts. Waiting: its wait returns TA_CANCELLED. Finished: nothing happens. */
  ta_status (*cancel)(ta_coroutine* coroutine, ta_error* error);
  ta_status (*info)(ta_coroutine* coroutine, ta_coroutine_info* info, ta_error* error);
  /* The coroutine as an event, which fires at its end. Borrowed from the coroutine. */
  ta_event* (*event)(ta_coroutine* coroutine);

  /* Lets everybody who is ready run first. */
  ta_status (*yield)(ta_location location, ta_error* error);
  ta_status (*sleep)(int64_t nanoseconds, ta_location location, ta_error* error);
  /* Runs `call` with cancellation deferred to its end, and returns what it returned; TA_CANCELLED if it returned TA_OK
   * and a cancellation came meanwhile. */
  ta_status (*protect)(ta_function call, void* argument, ta_error* error);
  /* Runs `call` on the thread's own stack, for libraries that can't live on another one. It must not suspend. */
  ta_status (*run_on_thread_stack)(ta_function call, void* argument, ta_error* error);

  /* Runs `call` before the next switch, in the context of whoever suspends. It must not suspend. `microtask` may be NULL;
   * otherwise release_microtask() it. A cancelled one does not run; its argument is disposed of all the same. */
  ta_status (*queue_microtask)(ta_function call, void* argument, ta_dispose dispose, ta_microtask** microtask,
                               ta_error* error);
  void (*cancel_microtask)(ta_microtask* microtask);
  void (*release_microtask)(ta_microtask* microtask);

  /* Called each time that coroutine (NULL: the current one) gets control, gives it up, and ends. */
  ta_status (*add_switch_handler)(ta_coroutine* coroutine, ta_switch_handler handler, void* argument, uint64_t* id,
                                  ta_error* error);
  /* TA_EMPTY when there is no such handler any more. */
  ta_status (*remove_switch_handler)(ta_coroutine* coroutine, uint64_t id, ta_error* error);

  /* Ends this thread's runtime gracefully: every coroutine is cancelled. Returns at once. */
  ta_status (*shut_down)(ta_error* error);
} ta_core_table;

#ifdef __cplusplus
}
#endif

#endif
