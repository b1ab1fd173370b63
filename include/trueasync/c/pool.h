/* pool.h: the resource pool and its circuit breaker in the C API, and the table of a host language. */
#ifndef TRUEASYNC_C_POOL_H
#define TRUEASYNC_C_POOL_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ta_resource_hook: a callback for one resource. TA_OK accepts the resource, TA_REJECTED rejects it. Any other status
 * rejects it and is reported to the caller. A hook may suspend, except when try_acquire() calls it. */
typedef ta_status (*ta_resource_hook)(void* context, void* resource, ta_error* error);

/* ta_breaker_state: the state of a circuit breaker. */
typedef uint32_t ta_breaker_state;
enum {
  TA_BREAKER_ACTIVE = 0,    /* closed: every call passes */
  TA_BREAKER_INACTIVE = 1,  /* open: every call fails with TA_UNAVAILABLE */
  TA_BREAKER_RECOVERING = 2 /* half-open: a limited number of probes pass */
};

/* ta_breaker_options: the circuit breaker of a pool. Without `failure_threshold` and callbacks only set_breaker()
 * changes its state. */
typedef struct ta_breaker_options {
  size_t size;
  uint32_t failure_threshold; /* consecutive failures that make it INACTIVE; 0: failures do not count */
  uint32_t probes;            /* concurrent probes in the first recovery round; 0: 1 */
  uint32_t rounds;            /* successful rounds, each twice as wide, before it is ACTIVE; 0: 3 */
  uint32_t reserved;
  /* With failure_threshold: time until it recovers, growing with each failed recovery. 0: 5 s. */
  int64_t backoff_ns;
  /* How often should_recover is called while INACTIVE. 0: 100 ms. */
  int64_t recovery_check_interval_ns;
  /* A user-defined strategy instead of failure_threshold; set all three or none. The first two are called with
   * each outcome and return the requested state; should_recover is called while INACTIVE. `context` is the pool's. Must
   * not suspend. */
  ta_breaker_state (*report_success)(void* context, ta_breaker_state state);
  ta_breaker_state (*report_failure)(void* context, ta_breaker_state state, const ta_error* failure);
  bool (*should_recover)(void* context);
} ta_breaker_options;

enum {
  /* Flags of ta_pool_options. */
  TA_POOL_FIFO = 1,                  /* reuse the resource that was idle longest; default: the last used */
  TA_POOL_WARM_UP_IN_BACKGROUND = 2, /* create() does not wait for the first `min` resources */
  TA_POOL_KEEP_WAITERS = 4,          /* waiters keep waiting when the breaker becomes INACTIVE */
  /* before_acquire never suspends, so that an acquire with a timeout calls it without a coroutine */
  TA_POOL_NONBLOCKING_BEFORE_ACQUIRE = 8
};

/* ta_pool_options: how to create a pool. */
typedef struct ta_pool_options {
  size_t size;
  const char* name;   /* for error messages; may be NULL */
  void* context;      /* first argument of every callback */
  ta_dispose dispose; /* called with `context` after the last resource is destroyed; may be NULL */

  /* Creates a resource, in its own coroutine. May suspend. Required; all other hooks may be NULL. */
  ta_status (*factory)(void* context, void** resource, ta_error* error);
  ta_resource_hook destructor;
  ta_resource_hook healthcheck;    /* of idle resources, every healthcheck_interval_ns */
  ta_resource_hook before_acquire; /* rejected: the resource is destroyed and the next is tried */
  ta_resource_hook before_release; /* rejected: the resource is destroyed; counts as a breaker failure */
  ta_resource_hook reset;          /* of a resource released as TA_RELEASE_DIRTY; rejected: destroyed */

  uint32_t min;                    /* resources created in advance and kept */
  uint32_t max;                    /* idle, leased and being created; at least 1 */
  uint32_t max_waiting;            /* maximum number of waiters; 0: no limit */
  uint32_t max_creating;           /* concurrent factory calls; 0: 4 */
  int64_t healthcheck_interval_ns; /* also the timeout of a check; 0: no health checks */
  int64_t max_lifetime_ns;         /* maximum age of a resource; 0: no limit */
  int64_t idle_timeout_ns;         /* idle time until destruction, never below `min`; 0: no limit */
  int64_t create_timeout_ns;       /* timeout of one factory call; 0: none */
  int64_t leak_threshold_ns;       /* a lease held longer is reported as leaked; 0: none */
  uint64_t flags;
  const ta_breaker_options* breaker; /* may be NULL */
  /* Receives errors of destructors that have no caller to return to. If NULL, these errors are unhandled. Must not
   * suspend. */
  void (*on_error)(void* context, const ta_error* failure);
} ta_pool_options;

/* ta_lease: the right to use one resource. Copies denote the same lease, which is released once. */
typedef struct ta_lease {
  void* resource;
  void* slot;
  uint64_t generation;
} ta_lease;

/* ta_release_state: the state in which a resource is released. */
typedef uint32_t ta_release_state;
enum {
  TA_RELEASE_CLEAN = 0,
  TA_RELEASE_DIRTY = 1, /* needs a reset before the next lease */
  TA_RELEASE_BROKEN = 2 /* is destroyed */
};

/* ta_histogram: durations in nanoseconds. */
typedef struct ta_histogram {
  uint64_t count;
  uint64_t mean;
  uint64_t p50;
  uint64_t p99;
  uint64_t max;
} ta_histogram;

/* ta_pool_statistics: counters of a pool, filled by statistics(). */
typedef struct ta_pool_statistics {
  size_t size;
  uint64_t total; /* idle + active */
  uint64_t idle;
  uint64_t active;
  uint64_t reserved; /* of the active resources: granted to a waiter that has not run yet */
  uint64_t creating; /* being created; not in `total` */
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

/* ta_pool_table: the functions of this header. */
typedef struct ta_pool_table {
  ta_table_head head;

  /* Creates a pool and waits for the first `min` resources; fails with their error. TA_MISUSE for invalid options: no
   * factory, max 0, min > max, a negative time. */
  ta_status (*create)(const ta_pool_options* options, ta_pool** pool, ta_location location, ta_error* error);
  /* Closes the pool, waits for creations and checks in flight, and frees the pool. Leases stay valid: release(NULL,
   * ...). */
  void (*destroy)(ta_pool* pool);
  /* Suspends until a resource is available; waiters are granted resources in FIFO order. `timeout_ns` bounds waiting,
   * factory and hooks together. Fails with TA_TIMEOUT (the message gives the cause), TA_CLOSED, TA_UNAVAILABLE
   * (breaker), TA_OVERLOADED or the status of the factory. */
  ta_status (*acquire)(ta_pool* pool, int64_t timeout_ns, ta_lease* lease, ta_location location, ta_error* error);
  /* Never suspends. TA_EMPTY if no resource is idle. */
  ta_status (*try_acquire)(ta_pool* pool, ta_lease* lease, ta_location location, ta_error* error);
  /* Releases the lease and clears *lease. An expired lease or a lease of another pool fails with TA_MISUSE and has no
   * effect. If a hook fails, its status is returned and the resource is released. `pool` NULL: the pool the lease
   * belongs to. */
  ta_status (*release)(ta_pool* pool, ta_lease* lease, ta_release_state state, ta_error* error);
  /* The current lease of a resource, for programs that keep only the resource. TA_EMPTY if it is not leased. */
  ta_status (*find_lease)(ta_pool* pool, void* resource, ta_lease* lease, ta_error* error);
  /* Closes the pool. Waiters get TA_CLOSED. Idle resources are destroyed now, leased resources when they are released.
   * Returns the errors of destructors. */
  ta_status (*close)(ta_pool* pool, ta_error* error);
  /* Drains the pool: rejects new calls, grants resources to the current waiters, then closes. `outstanding` (may
   * be NULL) gets the number of leases not released when the timeout expired. */
  ta_status (*drain)(ta_pool* pool, int64_t timeout_ns, size_t* outstanding, ta_location location, ta_error* error);
  /* A paused pool grants no resources; callers wait until resume(). */
  void (*pause)(ta_pool* pool);
  void (*resume)(ta_pool* pool);
  ta_status (*resize)(ta_pool* pool, uint32_t min, uint32_t max, ta_error* error);
  ta_status (*statistics)(ta_pool* pool, ta_pool_statistics* statistics, ta_error* error);
  /* Fires when a resource becomes idle without a waiter, and when the pool is closed. Borrowed. */
  ta_event* (*event)(ta_pool* pool);

  ta_breaker_state (*breaker)(ta_pool* pool);
  /* Sets the breaker state. TA_MISUSE for RECOVERING from a state other than INACTIVE. */
  ta_status (*set_breaker)(ta_pool* pool, ta_breaker_state state, ta_error* error);

  /* The pool as an object of the host language, created through ta_host_table. TA_UNAVAILABLE if no host table is
   * registered. */
  ta_status (*wrap)(ta_pool* pool, void** object, ta_error* error);
} ta_pool_table;

/* ta_host_table: implemented by a host language and registered as TA_TABLE_HOST, so that extensions can create objects
 * of the host language. */
typedef struct ta_host_table {
  ta_table_head head;
  /* Wraps a pool in an object of the host language. */
  ta_status (*wrap_pool)(ta_pool* pool, void** object, ta_error* error);
} ta_host_table;

#ifdef __cplusplus
}
#endif

#endif
