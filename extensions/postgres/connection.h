/* One connection to a PostgreSQL server: libpq speaks, this waits. */
#ifndef TRUEASYNC_PG_CONNECTION_H
#define TRUEASYNC_PG_CONNECTION_H

#include "support/deadline.h"
#include "trueasync_postgres.h"

extern ta_api ta;

struct ta_pg_session {
  PGconn* pg;
  ta_event* readable;
  ta_pg* owner;
  ta_lease lease;   /* of whoever has it now */
  int64_t deadline; /* for the reset, when it comes back */
  int64_t answered; /* when it did last */
  bool is_touched;  /* something that outlives a transaction may have been changed */
  bool is_dead;     /* the server has said farewell */
};

struct pg_query {
  const char* sql;
  const char* const* values;
  int count;
};

/* connect.c */
ta_status pg_connect(const char* conninfo, int64_t timeout_ns, struct ta_pg_session** made, ta_error* error);
void pg_disconnect(struct ta_pg_session* session);

/* query.c */
ta_status pg_exchange(struct ta_pg_session* session, const struct pg_query* query, int64_t deadline, PGresult** result,
                      ta_error* error);
/* Whether nothing has happened to it since its last answer. Does not wait. */
bool pg_is_quiet(struct ta_pg_session* session);
ta_release_state pg_condition(const struct ta_pg_session* session, bool always_reset);

ta_status pg_lost(const struct ta_pg_session* session, const char* what, ta_error* error);

#endif
