/* Runs a query and determines the state of the connection afterwards. */
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>

#include "connection.h"

/* libpq's messages have several lines and end with a newline. */
static void make_one_line(char* text) {
  size_t length = strlen(text);
  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' ')) text[--length] = 0;
  for (size_t i = 0; i < length; ++i) {
    if (text[i] == '\n' || text[i] == '\t') text[i] = ' ';
  }
}

ta_status pg_lost(const struct ta_pg_session* session, const char* operation, ta_error* error) {
  char text[400];
  snprintf(text, sizeof text, "%s: %s", operation, PQerrorMessage(session->pg));
  make_one_line(text);
  return ta_fail(error, TA_PG_LOST, 0, text);
}

static ta_status wait_readable(struct ta_pg_session* session, int64_t deadline, ta_error* error) {
  return ta.event->wait(session->readable, ta_remaining_until(&ta, deadline), NULL, TA_HERE, error);
}

/* Reads also while there is data to send, as the documentation of PQflush() requires. */
static ta_status flush(struct ta_pg_session* session, int64_t deadline, ta_error* error) {
  int pending = PQflush(session->pg);
  while (pending > 0) {
    uint32_t ready = 0;
    const ta_status status = ta.reactor->poll(PQsocket(session->pg), TA_READABLE | TA_WRITABLE,
                                              ta_remaining_until(&ta, deadline), &ready, TA_HERE, error);
    if (status != TA_OK) return status;
    if ((ready & TA_READABLE) && !PQconsumeInput(session->pg)) break;
    pending = PQflush(session->pg);
  }
  return pending == 0 ? TA_OK : pg_lost(session, "cannot send the query", error);
}

static ta_status send_query(struct ta_pg_session* session, const struct pg_query* query, int64_t deadline,
                            ta_error* error) {
  const int sent = query->count == 0
                       ? PQsendQuery(session->pg, query->sql)
                       : PQsendQueryParams(session->pg, query->sql, query->count, NULL, query->values, NULL, NULL, 0);
  return sent ? flush(session, deadline, error) : pg_lost(session, "cannot send the query", error);
}

static bool is_failure(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
}

static bool is_copy(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

/* Whether the statement leaves the session state unchanged, according to its command tag. Changes made by a function that a
 * SELECT calls are not detected; TA_PG_ALWAYS_RESET covers them. */
static bool preserves_session(const PGresult* result) {
  static const char* const tags[] = {
      "SELECT", "INSERT", "UPDATE",   "DELETE",    "MERGE",   "BEGIN", "START TRANSACTION",
      "COMMIT", "SHOW",   "ROLLBACK", "SAVEPOINT", "RELEASE", "FETCH", "EXPLAIN"};
  /* PQcmdStatus() does not modify the result. */
  const char* tag = PQcmdStatus((PGresult*)(uintptr_t)result);
  for (size_t i = 0; i < sizeof tags / sizeof *tags; ++i) {
    if (strncmp(tag, tags[i], strlen(tags[i])) == 0) return true;
  }
  return tag[0] == 0;
}

/* Reads all results. Keeps the first failure, or the last result if none failed. */
static ta_status receive(struct ta_pg_session* session, int64_t deadline, PGresult** kept, ta_error* error) {
  for (;;) {
    PGresult* result = NULL;
    while (PQisBusy(session->pg)) {
      const ta_status status = wait_readable(session, deadline, error);
      if (status != TA_OK) return status;
      if (!PQconsumeInput(session->pg)) break; /* PQgetResult() reports the error */
    }
    result = PQgetResult(session->pg);
    if (!result) return TA_OK;
    if (is_copy(result)) {
      PQclear(result);
      session->is_dead = true; /* the connection expects COPY data, which is never sent */
      return ta_fail(error, TA_MISUSE, 0, "COPY to or from the client is not supported");
    }
    if (!preserves_session(result)) session->is_modified = true;
    if (*kept && is_failure(*kept)) {
      PQclear(result);
      continue;
    }
    PQclear(*kept);
    *kept = result;
  }
}

/* An error of the server has a SQLSTATE. An error without one is libpq's: the connection is lost. */
static ta_status check_result(struct ta_pg_session* session, const PGresult* result, ta_error* error) {
  const char* severity = NULL;
  const char* state = NULL;
  const char* message = NULL;
  char text[480];
  if (!result) return pg_lost(session, "no response from the server", error);
  if (!is_failure(result)) return TA_OK;
  severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  if (!severity || strcmp(severity, "ERROR") != 0) session->is_dead = true;
  snprintf(text, sizeof text, "%s: %s", state ? state : "-----", message ? message : PQresultErrorMessage(result));
  make_one_line(text);
  return ta_fail(error, state ? TA_PG_ERROR : TA_PG_LOST, 0, text);
}

ta_status pg_exchange(struct ta_pg_session* session, const struct pg_query* query, int64_t deadline, PGresult** result,
                      ta_error* error) {
  PGresult* kept = NULL;
  ta_status status = send_query(session, query, deadline, error);
  if (status == TA_OK) status = receive(session, deadline, &kept, error);
  if (status == TA_OK) status = check_result(session, kept, error);
  session->last_response = ta.reactor->now();
  if (result && (status == TA_OK || status == TA_PG_ERROR)) {
    *result = kept;
  } else {
    PQclear(kept);
  }
  return status;
}

static bool has_input(const struct ta_pg_session* session, bool* ended) {
  char byte = 0;
  const ssize_t got = recv(PQsocket(session->pg), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  *ended = got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
  return got > 0;
}

bool pg_is_idle(struct ta_pg_session* session) {
  bool ended = false;
  if (session->is_dead || PQstatus(session->pg) != CONNECTION_OK) return false;
  if (ta_is_recent(&ta, session->last_response)) return true;
  if (has_input(session, &ended)) {
    /* A notice, a changed parameter, or the message of a server that closes the connection. */
    if (!PQconsumeInput(session->pg) || PQisBusy(session->pg)) return false;
    if (has_input(session, &ended)) return false;
  }
  return !ended && !session->is_dead && PQstatus(session->pg) == CONNECTION_OK;
}

ta_release_state pg_release_state(const struct ta_pg_session* session, bool always_reset) {
  if (session->is_dead || PQstatus(session->pg) != CONNECTION_OK) return TA_RELEASE_BROKEN;
  switch (PQtransactionStatus(session->pg)) {
    case PQTRANS_IDLE:
      return session->is_modified || always_reset ? TA_RELEASE_DIRTY : TA_RELEASE_CLEAN;
    case PQTRANS_INTRANS:
    case PQTRANS_INERROR:
      return TA_RELEASE_DIRTY;
    default: /* a response is incomplete */
      return TA_RELEASE_BROKEN;
  }
}
