/* One connection to a PostgreSQL server. libpq implements the protocol; this code waits. */
#ifndef TRUEASYNC_PG_CONNECTION_H
#define TRUEASYNC_PG_CONNECTION_H

#include "support/deadline.h"
#include "trueasync_postgres.h"

extern ta_api ta;

struct ta_pg_session {
  PGconn* pg;
  ta_event* readable;
  ta_pg* owner;
  ta_lease lease;        /* of the current user */
  int64_t deadline;      /* of the reset after release */
  int64_t last_response; /* time of the last response */
  bool is_modified;      /* session state that outlives a transaction may have changed */
  bool is_dead;          /* the server is closing the connection */
};

struct pg_query {
  const char* sql;
  const char* const* values;
  int count;
};

/* connect.c */
ta_status pg_connect(const char* conninfo, int64_t timeout_ns, struct ta_pg_session** created, ta_error* error);
void pg_disconnect(struct ta_pg_session* session);

/* query.c */
ta_status pg_exchange(struct ta_pg_session* session, const struct pg_query* query, int64_t deadline, PGresult** result,
                      ta_error* error);
/* Whether the connection is open and has no unread data. Does not suspend. */
bool pg_is_idle(struct ta_pg_session* session);
ta_release_state pg_release_state(const struct ta_pg_session* session, bool always_reset);

/* Fails with TA_PG_LOST and the message "OPERATION: libpq's message". */
ta_status pg_lost(const struct ta_pg_session* session, const char* operation, ta_error* error);

#endif
