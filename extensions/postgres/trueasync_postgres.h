/* A PostgreSQL client as an extension: connections of libpq in a pool, awaited through the reactor.
 *
 *     const ta_pg_table* pg = NULL;
 *     ta.runtime->load_extension("trueasync_postgres.so", &pg, &error);
 *     pg->open(&options, &database, TA_HERE, &error);
 *     pg->query(database, "select $1::int + 1", values, 1, TA_SECONDS(1), &result, TA_HERE, &error);
 *
 * A query outside a session is a transaction of its own, on any connection. A session keeps its connection, for
 * transactions of several statements. What comes back is looked at: an open transaction is rolled back; what was changed
 * for the session (SET, PREPARE, temporary tables ...) is discarded; a connection that broke, or that has not answered
 * yet, is destroyed. An untouched one pays nothing.
 *
 * Whoever is cancelled or out of time leaves a query that the server goes on with; its setting
 * client_connection_check_interval makes it notice.
 *
 * Owns: whoever gets a result clears it. Threads: the runtime's. Errors: statuses as everywhere, and the two below. */
#ifndef TRUEASYNC_POSTGRES_H
#define TRUEASYNC_POSTGRES_H

#include <postgresql/libpq-fe.h>
#include <trueasync.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TA_PG_ERROR = TA_STATUS_USER_BASE, /* the server's word; the text begins with its SQLSTATE: "23505: duplicate ..." */
  TA_PG_LOST = TA_STATUS_USER_BASE + 1 /* no connection, or it broke: the statement may have been done or not */
};

typedef struct ta_pg ta_pg;
typedef struct ta_pg_session ta_pg_session;

enum { TA_PG_ALWAYS_RESET = 1 }; /* flags: also after statements that change nothing, as far as their names tell */

typedef struct ta_pg_options {
  size_t size;
  const char* conninfo;              /* "host=... dbname=...", or a URL; see libpq */
  uint32_t min;                      /* connections made in advance, and kept */
  uint32_t max;                      /* 0: 8 */
  int64_t connect_timeout_ns;        /* for all addresses; nanoseconds, as all here; 0: 5 s */
  int64_t healthcheck_interval;      /* of idle connections, by a query; 0: none */
  int64_t max_lifetime;              /* 0: none */
  int64_t idle_timeout;              /* 0: none */
  uint64_t flags;                    /* TA_PG_... */
  const ta_breaker_options* breaker; /* may be NULL */
} ta_pg_options;

typedef struct ta_pg_table {
  ta_table_head head;

  ta_status (*open)(const ta_pg_options* options, ta_pg** pg, ta_location location, ta_error* error);
  void (*close)(ta_pg* pg);

  /* `values` are texts, NULL for SQL's null; without any (count 0) `sql` may be several statements, and the last one's
   * result counts. One deadline for everything. `result` may be NULL. With TA_PG_ERROR it gets what the server said, to
   * be cleared as any other; on other failures NULL. */
  ta_status (*query)(ta_pg* pg, const char* sql, const char* const* values, int count, int64_t timeout_ns,
                     PGresult** result, ta_location location, ta_error* error);
  void (*clear)(PGresult* result); /* or NULL */

  ta_status (*begin_session)(ta_pg* pg, int64_t timeout_ns, ta_pg_session** session, ta_location location,
                             ta_error* error);
  ta_status (*session_query)(ta_pg_session* session, const char* sql, const char* const* values, int count,
                             int64_t timeout_ns, PGresult** result, ta_location location, ta_error* error);
  /* The session is over, whatever the status. `limit` is for the reset, if there has to be one. */
  ta_status (*end_session)(ta_pg_session* session, int64_t timeout_ns, ta_error* error);
  /* Whether a transaction is open, as the server tells (DB-02). Asks nobody. */
  bool (*in_transaction)(const ta_pg_session* session);
  /* The process that serves it. */
  int (*backend_pid)(const ta_pg_session* session);

  /* Its pool, for statistics, resizing and the breaker. Borrowed. */
  ta_pool* (*pool)(ta_pg* pg);
} ta_pg_table;

#ifdef __cplusplus
}
#endif

#endif
