/* The contract of the functions of the PostgreSQL extension, checked on an idle server. */
#include <stdlib.h>

#include "contract.h"
#include "postgres.h"

enum { LARGE = 3000000 };
#define TIMEOUT_NS TA_SECONDS(20)

static ta_status ask(const char* sql, const char* value, int64_t timeout_ns, char* answer, size_t room,
                     ta_error* error) {
  PGresult* result = NULL;
  const char* values[] = {value};
  const ta_status status =
      pg->query(database, sql, values, strstr(sql, "$1") ? 1 : 0, timeout_ns, &result, TA_HERE, error);
  if (status == TA_OK && PQntuples(result) > 0 && room > 0) {
    strncpy(answer, PQgetvalue(result, 0, 0), room - 1);
    answer[room - 1] = 0;
  }
  if (status == TA_PG_ERROR) strncpy(answer, PQresultErrorField(result, PG_DIAG_SQLSTATE), room - 1);
  pg->clear(result);
  return status;
}

/* DB-13 */
static ta_status check_errors(ta_error* error) {
  char answer[16] = "";
  const uint64_t before = destroyed_in(pg->pool(database));
  REQUIRE(ask("select 1/0", NULL, TIMEOUT_NS, answer, sizeof answer, error) == TA_PG_ERROR);
  REQUIRE(strcmp(answer, "22012") == 0 && strncmp(error->message, "22012: ", 7) == 0);
  REQUIRE(ask("select 1; select 1/0; select 3", NULL, TIMEOUT_NS, answer, sizeof answer, error) == TA_PG_ERROR);
  REQUIRE(ask("select 1; select 2", NULL, TIMEOUT_NS, answer, sizeof answer, error) == TA_OK && answer[0] == '2');
  REQUIRE(destroyed_in(pg->pool(database)) == before); /* an SQL error does not destroy the connection */
  REQUIRE(ask("copy ledger to stdout", NULL, TIMEOUT_NS, answer, sizeof answer, error) == TA_MISUSE);
  REQUIRE(destroyed_in(pg->pool(database)) == before + 1);
  return TA_OK;
}

/* More data than a socket buffer holds, in both directions. */
static ta_status check_sizes(ta_error* error) {
  char answer[16] = "";
  char* large = malloc(LARGE + 1);
  ta_status status = TA_OK;
  REQUIRE(large);
  memset(large, 'x', LARGE);
  large[LARGE] = 0;
  status = ask("select length($1 || $1)", large, TIMEOUT_NS, answer, sizeof answer, error);
  free(large);
  REQUIRE(status == TA_OK && atol(answer) == 2L * LARGE);
  large = malloc(LARGE + 1);
  REQUIRE(large);
  status = ask("select repeat('y', 3000000)", NULL, TIMEOUT_NS, large, LARGE + 1, error);
  const bool whole = status == TA_OK && strspn(large, "y") == LARGE;
  free(large);
  REQUIRE(whole);
  REQUIRE(ask("select $1::int is null", NULL, TIMEOUT_NS, answer, sizeof answer, error) == TA_OK && answer[0] == 't');
  return TA_OK;
}

static ta_status sleep_long(void* argument, ta_error* error) {
  char answer[4];
  (void)argument;
  return ask("select pg_sleep(20)", NULL, TA_NO_TIMEOUT, answer, sizeof answer, error);
}

/* DB-11: a timeout or cancellation before the response destroys the connection. */
static ta_status check_abandoned_calls(ta_error* error) {
  char answer[4];
  const uint64_t before = destroyed_in(pg->pool(database));
  REQUIRE(ask("select pg_sleep(20)", NULL, TA_MILLISECONDS(50), answer, sizeof answer, NULL) == TA_TIMEOUT);
  REQUIRE(destroyed_in(pg->pool(database)) == before + 1);
  REQUIRE(cancel_while_waiting(sleep_long, pg->pool(database), error) == TA_TARGET_CANCELLED);
  REQUIRE(destroyed_in(pg->pool(database)) == before + 2);
  return TA_OK;
}

/* DB-01, DB-02, DB-05: the connection is reused and reset. */
static ta_status check_sessions(ta_error* error) {
  ta_pg_session* session = NULL;
  char answer[16] = "";
  int pid = 0;
  REQUIRE(pg->begin_session(database, TIMEOUT_NS, &session, TA_HERE, error) == TA_OK);
  pid = pg->backend_pid(session);
  REQUIRE(!pg->in_transaction(session));
  REQUIRE(pg->session_query(session, "create temp table leftover (x int)", NULL, 0, TIMEOUT_NS, NULL, TA_HERE, error) ==
          TA_OK);
  REQUIRE(pg->session_query(session, "begin", NULL, 0, TIMEOUT_NS, NULL, TA_HERE, error) == TA_OK);
  REQUIRE(pg->in_transaction(session));
  REQUIRE(pg->session_query(session, "select 1/0", NULL, 0, TIMEOUT_NS, NULL, TA_HERE, NULL) == TA_PG_ERROR);
  REQUIRE(pg->in_transaction(session)); /* also if the transaction has failed */
  REQUIRE(pg->end_session(session, TIMEOUT_NS, error) == TA_OK);
  REQUIRE(pg->begin_session(database, TIMEOUT_NS, &session, TA_HERE, error) == TA_OK);
  REQUIRE(pg->backend_pid(session) == pid && !pg->in_transaction(session));
  REQUIRE(pg->end_session(session, TIMEOUT_NS, error) == TA_OK);
  REQUIRE(ask("select to_regclass('pg_temp.leftover') is null", NULL, TIMEOUT_NS, answer, sizeof answer, error) ==
          TA_OK);
  REQUIRE(answer[0] == 't');
  return TA_OK;
}

ta_status check_postgres_contract(ta_error* error) {
  ta_status status = check_errors(error);
  if (status == TA_OK) status = check_sizes(error);
  if (status == TA_OK) status = check_abandoned_calls(error);
  if (status == TA_OK) status = check_sessions(error);
  return status;
}
