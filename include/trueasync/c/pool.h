/* The resource pool and its circuit breaker. */
#ifndef TRUEASYNC_C_POOL_H
#define TRUEASYNC_C_POOL_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A hook on one resource. TA_OK: it is well; anything else: it is not, for this reason. It may suspend. */
typedef ta_status (*ta_resource_hook)(void* context, void* resource, ta_error* error);

typedef uint32_t ta_breaker;
enum {
  TA_BREAKER_ACTIVE = 0,    /* all pass */
  TA_BREAKER_INACTIVE = 1,  /* all are refused with TA_UNAVAILABLE */
  TA_BREAKER_RECOVERING = 2 /* a few pass, to see */
};

enum { TA_POOL_FIFO = 1 }; /* flags of ta_pool_options: the longest idle resource first; otherwise the last used */

typedef struct ta_pool_options {
  size_t size;
  const char* name;   /* for reports; may be NULL */
  void* context;      /* for all hooks */
  ta_dispose dispose; /* of the context, after the last resource; may be NULL */

  /* Makes a resource, never NULL. The only hook that must be there. It may suspend. */
  ta_status (*factory)(void* context, void** resource, ta_error* error);
  ta_resource_hook destructor;
  ta_resource_hook healthcheck;    /* of idle ones, every healthcheck_interval */
  ta_resource_hook before_acquire; /* refused: destroyed, the next is tried */
  ta_resource_hook before_release; /* refused: destroyed, and a failure for the breaker */
  ta_resource_hook reset;          /* of one that comes back with TA_RELEASE_DIRTY */

  uint32_t min;                 /* made in advance, kept */
  uint32_t max;                 /* idle and in use; 0: 10 */
  int64_t healthcheck_interval; /* nanoseconds, as all here; 0: off */
  int64_t max_lifetime;         /* 0: none */
  int64_t idle_limit;           /* 0: none */
  int64_t create_limit;         /* for one call of the factory; 0: none */
  uint32_t max_waiting;         /* 0: no bound */
  uint32_t max_creating;        /* factories at once; 0: no bound but max */
  uint64_t flags;

  /* A strategy for the circuit breaker; without should_recover it is by hand. They must not suspend. They are told and
   * answer with the state they want: TA_BREAKER_... */
  ta_breaker (*report_success)(void* context, ta_breaker state);
  ta_breaker (*report_failure)(void* context, ta_breaker state, const ta_error* failure);
  bool (*should_recover)(void* context); /* asked from time to time while INACTIVE */
  int64_t recover_interval;              /* how often; 0: every second */
} ta_pool_options;

/* A resource in somebody's hands. Copies name the same lease: it is released once. */
typedef struct ta_lease {
  void* resource;
  void* slot;
  uint64_t number;
} ta_lease;

typedef uint32_t ta_release;
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
  uint64_t reserved; /* of the idle ones: promised to somebody who was woken */
  uint64_t waiting;
  uint64_t created;
  uint64_t destroyed;
  uint64_t acquired;
  uint64_t timeouts;
  uint64_t failed_creates;
  ta_breaker breaker;
  uint32_t reserved_field;
  ta_histogram wait;
  ta_histogram hold;
  ta_histogram create;
  ta_histogram age;
} ta_pool_statistics;

typedef struct ta_pool_table {
  ta_table_head head;

  /* TA_MISUSE for bad values: no factory, min > max. With a min the first resources are made in the background. */
  ta_status (*create)(const ta_pool_options* options, ta_pool** pool, ta_place place, ta_error* error);
  /* Closes it, and lets it go; leases that are out stay good for release(). */
  void (*destroy)(ta_pool* pool);
  /* Waits its turn. TA_TIMEOUT (the text says why), TA_CLOSED, TA_UNAVAILABLE, or what the factory failed with. */
  ta_status (*acquire)(ta_pool* pool, int64_t limit, ta_lease* lease, ta_place place, ta_error* error);
  /* Never suspends. TA_EMPTY when nothing is free. */
  ta_status (*try_acquire)(ta_pool* pool, ta_lease* lease, ta_place place, ta_error* error);
  /* Empties *lease. A lease that was released, or is another pool's, is TA_MISUSE and nothing happens. */
  ta_status (*release)(ta_pool* pool, ta_lease* lease, ta_release how, ta_place place, ta_error* error);
  /* Whoever waits gets TA_CLOSED; idle resources are destroyed, those in use when they come back. The failures of
   * destructors are its status. */
  ta_status (*close)(ta_pool* pool, ta_place place, ta_error* error);
  ta_status (*statistics)(ta_pool* pool, ta_pool_statistics* statistics, ta_error* error);
  /* Fires when something comes back, and when it is closed. Borrowed. */
  ta_event* (*event)(ta_pool* pool);

  ta_breaker (*breaker)(ta_pool* pool);
  ta_status (*set_breaker)(ta_pool* pool, ta_breaker state, ta_error* error);
  ta_status (*resize)(ta_pool* pool, uint32_t min, uint32_t max, ta_error* error);

  /* The pool as an object of the host's language, made by what the host has registered (ta_host_table). TA_UNAVAILABLE
   * when there is none. */
  ta_status (*wrap)(ta_pool* pool, void** object, ta_error* error);
} ta_pool_table;

#ifdef __cplusplus
}
#endif

#endif
