/* The connection pool and the function table of the extension. */
#include <stdlib.h>

#include "connection.h"
#include "support/pool.h"

ta_api ta = {.size = sizeof(ta_api)};

struct ta_pg {
  ta_pool* pool;
  char* conninfo;
  int64_t connect_timeout_ns;
  bool always_reset;
};

#define DEFAULT_TIMEOUT_NS TA_SECONDS(5)

static ta_status make(void* context, void** resource, ta_error* error) {
  struct ta_pg* pg = context;
  struct ta_pg_session* session = NULL;
  const ta_status status = pg_connect(pg->conninfo, pg->connect_timeout_ns, &session, error);
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

/* The server may have closed the idle connection. */
static ta_status check_before_use(void* context, void* resource, ta_error* error) {
  (void)context;
  (void)error;
  return pg_is_idle(resource) ? TA_OK : TA_REJECTED;
}

static ta_status run(struct ta_pg_session* session, const char* sql, int64_t deadline, ta_error* error) {
  const struct pg_query query = {sql, NULL, 0};
  return pg_exchange(session, &query, deadline, NULL, error);
}

static ta_status ask(void* context, void* resource, ta_error* error) {
  const struct ta_pg* pg = context;
  return run(resource, "select 1", ta_deadline_after(&ta, pg->connect_timeout_ns), error);
}

/* Rejects a connection that cannot be reset; the pool then destroys it. */
static ta_status reset(void* context, void* resource, ta_error* error) {
  struct ta_pg_session* session = resource;
  const struct ta_pg* pg = context;
  ta_status status = TA_OK;
  if (PQtransactionStatus(session->pg) != PQTRANS_IDLE) status = run(session, "rollback", session->deadline, error);
  if (status == TA_OK && (session->is_modified || pg->always_reset)) {
    status = run(session, "discard all", session->deadline, error);
  }
  if (status == TA_CANCELLED) return status;
  session->is_modified = false;
  return status == TA_OK && pg_release_state(session, false) == TA_RELEASE_CLEAN ? TA_OK : TA_REJECTED;
}

static void dispose(void* context) {
  struct ta_pg* pg = context;
  free(pg->conninfo);
  free(pg);
}

static struct ta_pg* copy_settings(const ta_pg_options* options) {
  struct ta_pg* pg = calloc(1, sizeof *pg);
  if (!pg) return NULL;
  pg->connect_timeout_ns = options->connect_timeout_ns ? options->connect_timeout_ns : DEFAULT_TIMEOUT_NS;
  pg->always_reset = options->flags & TA_PG_ALWAYS_RESET;
  pg->conninfo = strdup(options->conninfo ? options->conninfo : "");
  if (pg->conninfo) return pg;
  free(pg);
  return NULL;
}

static ta_status open_pg(const ta_pg_options* options, ta_pg** opened, ta_location location, ta_error* error) {
  ta_pool_options hooks = TA_OPTIONS(ta_pool_options);
  struct ta_pg* pg = NULL;
  ta_pool* created = NULL;
  ta_status status = TA_OK;
  if (!options || options->size != sizeof *options || (options->flags & ~(uint64_t)TA_PG_ALWAYS_RESET)) {
    return ta_fail(error, TA_VERSION, 0,
                   "ta_pg_options: the program and the PostgreSQL extension have different versions");
  }
  pg = copy_settings(options);
  if (!pg) return ta_fail(error, TA_NO_MEMORY, 0, "cannot allocate the settings of a PostgreSQL server");
  hooks.name = "postgres";
  hooks.context = pg;
  hooks.dispose = dispose;
  hooks.factory = make;
  hooks.destructor = destroy;
  hooks.healthcheck = ask;
  hooks.before_acquire = check_before_use;
  hooks.reset = reset;
  TA_INIT_POOL_OPTIONS(&hooks, options);
  status = ta.pool->create(&hooks, &created, location, error);
  if (status != TA_OK) return status; /* `dispose` has been called */
  pg->pool = created;
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

/* Passes NULL as the pool, because the handle of the pool may be closed already. */
static ta_status release_session(ta_pg_session* session, int64_t deadline, ta_error* error) {
  ta_lease lease = session->lease;
  session->deadline = deadline;
  return ta.pool->release(NULL, &lease, pg_release_state(session, session->owner->always_reset), error);
}

static ta_status end_session(ta_pg_session* session, int64_t timeout_ns, ta_error* error) {
  return release_session(session, ta_deadline_after(&ta, timeout_ns), error);
}

static ta_status query(ta_pg* pg, const char* sql, const char* const* values, int count, int64_t timeout_ns,
                       PGresult** result, ta_location location, ta_error* error) {
  const int64_t deadline = ta_deadline_after(&ta, timeout_ns);
  const struct pg_query request = {sql, values, count};
  ta_pg_session* session = NULL;
  ta_status status = TA_OK;
  if (result) *result = NULL;
  status = begin_session(pg, timeout_ns, &session, location, error);
  if (status != TA_OK) return status;
  status = pg_exchange(session, &request, deadline, result, error);
  release_session(session, deadline, NULL); /* the query's result matters, not a failed release */
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
  if (!argument) return ta_fail(error, TA_MISUSE, 0, "load_extension: argument must be a const ta_pg_table**");
  *(const ta_pg_table**)argument = &table;
  return TA_OK;
}
