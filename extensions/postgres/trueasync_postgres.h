/* A PostgreSQL client extension: a pool of libpq connections that suspend the calling coroutine.
 *
 *     const ta_pg_table* pg = NULL;
 *     ta.runtime->load_extension("trueasync_postgres.so", &pg, &error);
 *     pg->open(&options, &database, TA_HERE, &error);
 *     pg->query(database, "select $1::int + 1", values, 1, TA_SECONDS(1), &result, TA_HERE, &error);
 *
 * A query outside a session is its own transaction, on any connection. A session keeps one connection, for transactions of
 * several statements. After use, the extension rolls back an open transaction and discards changed session state (SET,
 * PREPARE, temporary tables). A broken connection or one with an unread response is destroyed. An unmodified connection
 * needs no reset.
 *
 * After a cancellation or a timeout, the server still executes the query. Its setting client_connection_check_interval
 * makes it detect the closed connection.
 *
 * Ownership: the caller clears the results.
 * Thread safety: the runtime's thread.
 * Errors: the common statuses and the two below. */
#ifndef TRUEASYNC_POSTGRES_H
#define TRUEASYNC_POSTGRES_H

#include <postgresql/libpq-fe.h>
#include <trueasync.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TA_PG_ERROR =
      TA_STATUS_USER_BASE, /* error of the server; the message starts with its SQLSTATE: "23505: duplicate ..." */
  TA_PG_LOST = TA_STATUS_USER_BASE + 1 /* cannot connect, or connection lost; the statement may have been executed */
};

typedef struct ta_pg ta_pg;
typedef struct ta_pg_session ta_pg_session;

enum { TA_PG_ALWAYS_RESET = 1 }; /* flag: reset after every use, also if no statement is known to change the session */

typedef struct ta_pg_options {
  size_t size;
  const char* conninfo;              /* "host=... dbname=...", or a URL; see libpq */
  uint32_t min;                      /* connections that are always kept open */
  uint32_t max;                      /* 0: 8 */
  int64_t connect_timeout_ns;        /* for all addresses together; 0: 5 s */
  int64_t healthcheck_interval_ns;   /* query on idle connections; 0: none */
  int64_t max_lifetime_ns;           /* 0: none */
  int64_t idle_timeout_ns;           /* 0: none */
  uint64_t flags;                    /* TA_PG_... */
  const ta_breaker_options* breaker; /* may be NULL */
} ta_pg_options;

typedef struct ta_pg_table {
  ta_table_head head;

  ta_status (*open)(const ta_pg_options* options, ta_pg** pg, ta_location location, ta_error* error);
  void (*close)(ta_pg* pg);

  /* `values` are strings, NULL for an SQL null. With `count` 0, `sql` may contain several statements; the result is that
   * of the last one. The timeout covers the wait for a connection, sending and the response. `result` may be NULL. With
   * TA_PG_ERROR it gets the server's error result, which the caller clears; on other failures NULL. */
  ta_status (*query)(ta_pg* pg, const char* sql, const char* const* values, int count, int64_t timeout_ns,
                     PGresult** result, ta_location location, ta_error* error);
  void (*clear)(PGresult* result); /* may be NULL */

  ta_status (*begin_session)(ta_pg* pg, int64_t timeout_ns, ta_pg_session** session, ta_location location,
                             ta_error* error);
  ta_status (*session_query)(ta_pg_session* session, const char* sql, const char* const* values, int count,
                             int64_t timeout_ns, PGresult** result, ta_location location, ta_error* error);
  /* Always ends the session, whatever the status. The timeout is for the reset of the connection, if it needs one. */
  ta_status (*end_session)(ta_pg_session* session, int64_t timeout_ns, ta_error* error);
  /* Whether a transaction is open, from the server's last response. Sends no query. */
  bool (*in_transaction)(const ta_pg_session* session);
  /* Process ID of the backend. */
  int (*backend_pid)(const ta_pg_session* session);

  /* The pool, for statistics, resizing and the breaker. Borrowed. */
  ta_pool* (*pool)(ta_pg* pg);
} ta_pg_table;

#ifdef __cplusplus
}
#endif

#endif
