/* The resource pool and its circuit breaker. */
#ifndef TRUEASYNC_C_POOL_H
#define TRUEASYNC_C_POOL_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A hook on one resource. TA_OK: it is well; TA_REJECTED: it is not; anything else is a failure, which goes to the caller
 * as well. It may suspend, unless try_acquire() calls it. */
typedef ta_status (*ta_resource_hook)(void* context, void* resource, ta_error* error);

typedef uint32_t ta_breaker_state;
enum {
  TA_BREAKER_ACTIVE = 0,    /* all pass */
  TA_BREAKER_INACTIVE = 1,  /* all are refused with TA_UNAVAILABLE */
  TA_BREAKER_RECOVERING = 2 /* a few pass, to see */
};

/* The circuit breaker of a pool. Without `failures` and hooks it is switched by hand. */
typedef struct ta_breaker_options {
  size_t size;
  uint32_t failure_threshold; /* so many one after the other make it INACTIVE; 0: they do not */
  uint32_t probes;            /* how many may try at once when it begins to recover; 0: 1 */
  uint32_t rounds;            /* of probes that succeed, each twice as wide, before all pass again; 0: 3 */
  uint32_t reserved;
  int64_t backoff_ns; /* nanoseconds, with `failures`: until it tries to recover, longer each time; 0: 5 s */
  int64_t recovery_check_interval_ns; /* how often should_recover is asked while INACTIVE; 0: 100 ms */
  /* A strategy of the program's own, instead of `failures`; all three or none. Told of every outcome, it answers with
   * the state it wants. `context` is the pool's. Must not suspend. */
  ta_breaker_state (*report_success)(void* context, ta_breaker_state state);
  ta_breaker_state (*report_failure)(void* context, ta_breaker_state state, const ta_error* failure);
  bool (*should_recover)(void* context);
} ta_breaker_options;

enum {
  /* flags of ta_pool_options */
  TA_POOL_FIFO = 1,                  /* the longest idle resource first; otherwise the last used */
  TA_POOL_WARM_UP_IN_BACKGROUND = 2, /* create() does not wait for the first `min` */
  TA_POOL_KEEP_WAITERS = 4,          /* who waits when the breaker becomes INACTIVE goes on waiting */
  TA_POOL_NONBLOCKING_BEFORE_ACQUIRE =
      8 /* before_acquire never suspends: no coroutine of its own is needed for a limit */
};

typedef struct ta_pool_options {
  size_t size;
  const char* name;   /* for reports; may be NULL */
  void* context;      /* for all hooks */
  ta_dispose dispose; /* of the context, after the last resource; may be NULL */

  /* Makes a resource, in a coroutine of its own: it may suspend. The only hook that must be there. */
  ta_status (*factory)(void* context, void** resource, ta_error* error);
  ta_resource_hook destructor;
  ta_resource_hook healthcheck;    /* of idle ones, every healthcheck_interval */
  ta_resource_hook before_acquire; /* refused: destroyed, the next is tried */
  ta_resource_hook before_release; /* refused: destroyed, and a failure for the breaker */
  ta_resource_hook reset;          /* of one that comes back with TA_RELEASE_DIRTY; refused: destroyed */

  uint32_t min;                 /* made in advance, and kept */
  uint32_t max;                 /* idle, in use and being made; at least 1 */
  uint32_t max_waiting;         /* 0: no bound */
  uint32_t max_creating;        /* factories at the same time; 0: 4 */
  int64_t healthcheck_interval; /* nanoseconds, as all here; 0: none */
  int64_t max_lifetime;         /* 0: none */
  int64_t idle_timeout;         /* 0: none; never below min */
  int64_t create_timeout;       /* 0: the factory takes the time it takes */
  int64_t leak_threshold_ns;    /* a lease that is held for longer is reported as leaked; 0: none is */
  uint64_t flags;
  const ta_breaker_options* breaker; /* may be NULL */
  /* Failures of destructors where nobody can be told. Without it they are unhandled. Must not suspend. */
  void (*on_error)(void* context, const ta_error* failure);
} ta_pool_options;

/* A resource in somebody's hands. Copies name the same lease: it is released once. */
typedef struct ta_lease {
  void* resource;
  void* slot;
  uint64_t generation;
} ta_lease;

typedef uint32_t ta_release_state;
enum {
  TA_RELEASE_CLEAN = 0,
  TA_RELEASE_DIRTY = 1, /* needs a reset before the next one has it */
  TA_RELEASE_BROKEN = 2 /* is destroyed */
};

/* Nanoseconds. */
typedef struct ta_histogram {
  uint64_t count;
  uint64_t mean;
  uint64_t p50;
  uint64_t p99;
  uint64_t max;
} ta_histogram;

/* Filled. */
typedef struct ta_pool_statistics {
  size_t size;
  uint64_t total; /* idle + active */
  uint64_t idle;
  uint64_t active;
  uint64_t reserved; /* of the active ones: promised to somebody who was woken and has not run yet */
  uint64_t creating; /* being made; not in total */
  uint64_t waiting;
  uint64_t created; /* created - destroyed = total */
  uint64_t destroyed;
  uint64_t acquired;
  uint64_t timeouts;
  uint64_t failed_creations;
  uint64_t failed_checks;
  uint64_t leaks;
  uint64_t breaker; /* TA_BREAKER_... */
  ta_histogram wait;
  ta_histogram hold;
  ta_histogram create;
  ta_histogram age;
} ta_pool_statistics;

typedef struct ta_pool_table {
  ta_table_head head;

  /* Waits for the first `min` resources and fails with their failure. TA_MISUSE for bad values: no factory, max 0,
   * min > max, negative times. */
  ta_status (*create)(const ta_pool_options* options, ta_pool** pool, ta_location location, ta_error* error);
  /* Closes it, waits for creations and checks that are under way, and lets it go. Leases stay good: release(NULL, ...). */
  void (*destroy)(ta_pool* pool);
  /* Waits its turn; one deadline for everything. TA_TIMEOUT (the text says why), TA_CLOSED, TA_UNAVAILABLE (the breaker),
   * TA_OVERLOADED, or what the factory failed with. */
  ta_status (*acquire)(ta_pool* pool, int64_t timeout_ns, ta_lease* lease, ta_location location, ta_error* error);
  /* Never suspends. TA_EMPTY when nothing is free. */
  ta_status (*try_acquire)(ta_pool* pool, ta_lease* lease, ta_location location, ta_error* error);
  /* Empties *lease. A lease that is over, or another pool's, is TA_MISUSE and nothing happens. Failures of hooks are told,
   * and it is released all the same. `pool` NULL: wherever it came from. */
  ta_status (*release)(ta_pool* pool, ta_lease* lease, ta_release_state how, ta_error* error);
  /* The lease that a resource is in now, for programs that keep only the resource. TA_EMPTY: it is in none. */
  ta_status (*find_lease)(ta_pool* pool, void* resource, ta_lease* lease, ta_error* error);
  /* Whoever waits gets TA_CLOSED; idle resources are destroyed, those in use when they come back. What destructors failed
   * with is its status. */
  ta_status (*close)(ta_pool* pool, ta_error* error);
  /* Lets nobody in, serves who waits, then closes. `left` (may be NULL) gets how many leases were out when the limit had
   * passed. */
  ta_status (*outstanding)(ta_pool* pool, int64_t timeout_ns, size_t* left, ta_location location, ta_error* error);
  /* While it is paused nobody gets a resource; who asks waits. */
  void (*pause)(ta_pool* pool);
  void (*resume)(ta_pool* pool);
  ta_status (*resize)(ta_pool* pool, uint32_t min, uint32_t max, ta_error* error);
  ta_status (*statistics)(ta_pool* pool, ta_pool_statistics* statistics, ta_error* error);
  /* Fires when something comes free that nobody waited for, and when it is closed. Borrowed. */
  ta_event* (*event)(ta_pool* pool);

  ta_breaker_state (*breaker)(ta_pool* pool);
  /* By hand. TA_MISUSE for RECOVERING from anything but INACTIVE. */
  ta_status (*set_breaker)(ta_pool* pool, ta_breaker_state state, ta_error* error);

  /* The pool as an object of the host's language, made by what the host has registered (ta_host_table). TA_UNAVAILABLE
   * when there is none. */
  ta_status (*wrap)(ta_pool* pool, void** object, ta_error* error);
} ta_pool_table;

#ifdef __cplusplus
}
#endif

#endif
