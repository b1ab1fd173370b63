/* The pool of connections, and the table of functions that a program gets when it loads this. */
#include <stdlib.h>

#include "connection.h"
#include "support/pool.h"

ta_api ta = {.size = sizeof(ta_api)};

struct ta_pg {
  ta_pool* pool;
  char* conninfo;
  int64_t connect_limit;
  bool always_reset;
};

#define DEFAULT_LIMIT TA_SECONDS(5)

static ta_status make(void* context, void** resource, ta_error* error) {
  struct ta_pg* pg = context;
  struct ta_pg_session* session = NULL;
  const ta_status status = pg_connect(pg->conninfo, pg->connect_limit, &session, error);
  if (status != TA_OK) return status;
  session->owner = pg;
  *resource = session;
  return TA_OK;
}

static ta_status destroy(void* context, void* resource, ta_error* error) {
  (void)context;
  (void)error;
  pg_disconnect(resource);
  return TA_OK;
}

/* DB-14: the server may have ended it while nobody looked. */
static ta_status look_before_use(void* context, void* resource, ta_error* error) {
  (void)context;
  (void)error;
  return pg_is_quiet(resource) ? TA_OK : TA_REJECTED;
}

static ta_status run(struct ta_pg_session* session, const char* sql, int64_t deadline, ta_error* error) {
  const struct pg_query query = {sql, NULL, 0};
  return pg_exchange(session, &query, deadline, NULL, error);
}

static ta_status ask(void* context, void* resource, ta_error* error) {
  const struct ta_pg* pg = context;
  return run(resource, "select 1", ta_deadline_after(&ta, pg->connect_limit), error);
}

/* DB-01, DB-02. What can't be cleaned is refused, and so destroyed. */
static ta_status reset(void* context, void* resource, ta_error* error) {
  struct ta_pg_session* session = resource;
  const struct ta_pg* pg = context;
  ta_status status = TA_OK;
  if (PQtransactionStatus(session->pg) != PQTRANS_IDLE) status = run(session, "rollback", session->deadline, error);
  if (status == TA_OK && (session->is_touched || pg->always_reset)) {
    status = run(session, "discard all", session->deadline, error);
  }
  if (status == TA_CANCELLED) return status;
  session->is_touched = false;
  return status == TA_OK && pg_condition(session, false) == TA_RELEASE_CLEAN ? TA_OK : TA_REJECTED;
}

static void dispose(void* context) {
  struct ta_pg* pg = context;
  free(pg->conninfo);
  free(pg);
}

static struct ta_pg* settings_of(const ta_pg_options* options) {
  struct ta_pg* pg = calloc(1, sizeof *pg);
  if (!pg) return NULL;
  pg->connect_limit = options->connect_timeout_ns ? options->connect_timeout_ns : DEFAULT_LIMIT;
  pg->always_reset = options->flags & TA_PG_ALWAYS_RESET;
  pg->conninfo = strdup(options->conninfo ? options->conninfo : "");
  if (pg->conninfo) return pg;
  free(pg);
  return NULL;
}

static ta_status open_pg(const ta_pg_options* options, ta_pg** opened, ta_location location, ta_error* error) {
  ta_pool_options hooks = TA_OPTIONS(ta_pool_options);
  struct ta_pg* pg = NULL;
  ta_pool* made = NULL;
  ta_status status = TA_OK;
  if (!options || options->size != sizeof *options || (options->flags & ~(uint64_t)TA_PG_ALWAYS_RESET)) {
    return ta_fail(error, TA_VERSION, 0, "the program and the PostgreSQL extension are of different versions");
  }
  pg = settings_of(options);
  if (!pg) return ta_fail(error, TA_NO_MEMORY, 0, "no memory for the settings of a PostgreSQL server");
  hooks.name = "postgres";
  hooks.context = pg;
  hooks.dispose = dispose;
  hooks.factory = make;
  hooks.destructor = destroy;
  hooks.healthcheck = ask;
  hooks.before_acquire = look_before_use;
  hooks.reset = reset;
  TA_INIT_POOL_OPTIONS(&hooks, options);
  status = ta.pool->create(&hooks, &made, location, error);
  if (status != TA_OK) return status; /* `dispose` has been called */
  pg->pool = made;
  *opened = pg;
  return TA_OK;
}

static void close_pg(ta_pg* pg) {
  if (pg) ta.pool->destroy(pg->pool);
}

static ta_status begin_session(ta_pg* pg, int64_t timeout_ns, ta_pg_session** session, ta_location location,
                               ta_error* error) {
  ta_lease lease;
  const ta_status status = ta.pool->acquire(pg->pool, timeout_ns, &lease, location, error);
  if (status != TA_OK) return status;
  *session = lease.resource;
  (*session)->lease = lease;
  return TA_OK;
}

static ta_status session_query(ta_pg_session* session, const char* sql, const char* const* values, int count,
                               int64_t timeout_ns, PGresult** result, ta_location location, ta_error* error) {
  const struct pg_query query = {sql, values, count};
  (void)location;
  if (result) *result = NULL;
  return pg_exchange(session, &query, ta_deadline_after(&ta, timeout_ns), result, error);
}

/* By NULL: its owner's handle may be closed by now. */
static ta_status give_back(ta_pg_session* session, int64_t deadline, ta_error* error) {
  ta_lease lease = session->lease;
  session->deadline = deadline;
  return ta.pool->release(NULL, &lease, pg_condition(session, session->owner->always_reset), error);
}

static ta_status end_session(ta_pg_session* session, int64_t timeout_ns, ta_error* error) {
  return give_back(session, ta_deadline_after(&ta, timeout_ns), error);
}

static ta_status query(ta_pg* pg, const char* sql, const char* const* values, int count, int64_t timeout_ns,
                       PGresult** result, ta_location location, ta_error* error) {
  const int64_t deadline = ta_deadline_after(&ta, timeout_ns);
  const struct pg_query asked = {sql, values, count};
  ta_pg_session* session = NULL;
  ta_status status = TA_OK;
  if (result) *result = NULL;
  status = begin_session(pg, timeout_ns, &session, location, error);
  if (status != TA_OK) return status;
  status = pg_exchange(session, &asked, deadline, result, error);
  give_back(session, deadline, NULL); /* what the answer says counts, not what became of the connection */
  return status;
}

static bool in_transaction(const ta_pg_session* session) {
  const PGTransactionStatusType status = PQtransactionStatus(session->pg);
  return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

static int backend_pid(const ta_pg_session* session) { return PQbackendPID(session->pg); }

static ta_pool* pool_of(ta_pg* pg) { return pg->pool; }

ta_status ta_extension_main(ta_get_api_function get_api, void* argument, ta_error* error) {
  static const ta_pg_table table = {
      .head = {sizeof(ta_pg_table), 1, 0, "trueasync_postgres"},
      .open = open_pg,
      .close = close_pg,
      .query = query,
      .clear = PQclear,
      .begin_session = begin_session,
      .session_query = session_query,
      .end_session = end_session,
      .in_transaction = in_transaction,
      .backend_pid = backend_pid,
      .pool = pool_of,
  };
  const ta_status status = get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &ta, error);
  if (status != TA_OK) return status;
  if (!argument) return ta_fail(error, TA_MISUSE, 0, "load_extension: a place for a const ta_pg_table* is missing");
  *(const ta_pg_table**)argument = &table;
  return TA_OK;
}
