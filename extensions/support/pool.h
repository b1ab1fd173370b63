/* A pool of connections to a server, as far as that is the same for every server. */
#ifndef TRUEASYNC_EXTENSIONS_POOL_H
#define TRUEASYNC_EXTENSIONS_POOL_H

#include <trueasync.h>

enum { TA_DEFAULT_CONNECTIONS = 8 };

/* What a program may say about the pool: the options of every extension have these fields by the same names. */
#define TA_INIT_POOL_OPTIONS(pool, options)                                 \
  do {                                                                      \
    (pool)->flags = TA_POOL_NONBLOCKING_BEFORE_ACQUIRE;                     \
    (pool)->min = (options)->min;                                           \
    (pool)->max = (options)->max ? (options)->max : TA_DEFAULT_CONNECTIONS; \
    (pool)->healthcheck_interval = (options)->healthcheck_interval;         \
    (pool)->max_lifetime = (options)->max_lifetime;                         \
    (pool)->idle_timeout = (options)->idle_timeout;                         \
    (pool)->breaker = (options)->breaker;                                   \
  } while (0)

#endif
