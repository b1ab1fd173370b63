/* Connection pool options shared by all extensions. */
#ifndef TRUEASYNC_EXTENSIONS_POOL_H
#define TRUEASYNC_EXTENSIONS_POOL_H

#include <trueasync.h>

enum { TA_DEFAULT_CONNECTIONS = 8 };

/* Copies the pool options. The options struct of every extension has these fields, with the same names. */
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
