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
    (pool)->healthcheck_interval_ns = (options)->healthcheck_interval_ns;   \
    (pool)->max_lifetime_ns = (options)->max_lifetime_ns;                   \
    (pool)->idle_timeout_ns = (options)->idle_timeout_ns;                   \
    (pool)->breaker = (options)->breaker;                                   \
  } while (0)

#endif
