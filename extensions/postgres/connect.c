/* Connecting, step by step. Names are looked up by the runtime, since libpq would hold up everybody while it does that.
 * Its steps run on the thread's own stack, for what they call (TLS, the files of the user) may need a large one. */
#include <netdb.h>
#include <stdlib.h>

#include "connection.h"

enum { PARAMETERS_MAX = 64, ADDRESSES_MAX = 4, ADDRESS_TEXT_MAX = 64, HOST_MAX = 256 };

struct parameters {
  const char* names[PARAMETERS_MAX];
  const char* values[PARAMETERS_MAX];
  size_t count;
  /* host and hostaddr as lists of the same length */
  char hosts[ADDRESSES_MAX * (HOST_MAX + 1)];
  char addresses[ADDRESSES_MAX * (ADDRESS_TEXT_MAX + 1)];
};

static void add(struct parameters* parameters, const char* name, const char* value) {
  if (parameters->count + 1 >= PARAMETERS_MAX) return;
  parameters->names[parameters->count] = name;
  parameters->values[parameters->count++] = value;
}

static const char* value_of(const PQconninfoOption* options, const char* name) {
  for (const PQconninfoOption* option = options; option->keyword; ++option) {
    if (strcmp(option->keyword, name) == 0) return option->val && option->val[0] ? option->val : NULL;
  }
  return NULL;
}

/* One name; a list of them, a path or an address that is given is libpq's own affair. */
static bool needs_lookup(const char* host, const char* address) {
  return host && !address && host[0] != '/' && host[0] != '@' && !strchr(host, ',') && strlen(host) < HOST_MAX;
}

static ta_status look_up(struct parameters* parameters, const char* host, int64_t deadline, ta_error* error) {
  ta_address found[ADDRESSES_MAX];
  size_t count = 0;
  ta_status status = ta.reactor->resolve(host, NULL, TA_FAMILY_ANY, ta_left_until(&ta, deadline), found, ADDRESSES_MAX,
                                         &count, TA_HERE, error);
  if (status != TA_OK) return status;
  if (count > ADDRESSES_MAX) count = ADDRESSES_MAX;
  for (size_t i = 0; i < count; ++i) {
    char text[ADDRESS_TEXT_MAX];
    if (getnameinfo((const struct sockaddr*)found[i].storage.bytes, found[i].length, text, sizeof text, NULL, 0,
                    NI_NUMERICHOST) != 0) {
      return ta_fail(error, TA_PG_LOST, 0, "the server's name has an address that can't be written");
    }
    strcat(parameters->addresses, i ? "," : "");
    strcat(parameters->addresses, text);
    strcat(parameters->hosts, i ? "," : "");
    strcat(parameters->hosts, host);
  }
  add(parameters, "host", parameters->hosts);
  add(parameters, "hostaddr", parameters->addresses);
  return TA_OK;
}

struct step {
  struct ta_pg_session* session;
  const struct parameters* parameters;
  PostgresPollingStatusType next;
};

static ta_status start_step(void* argument, ta_error* error) {
  struct step* step = argument;
  step->session->pg = PQconnectStartParams(step->parameters->names, step->parameters->values, 0);
  if (!step->session->pg) return ta_fail(error, TA_NO_MEMORY, 0, "no memory for a connection");
  step->next = PQstatus(step->session->pg) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  return TA_OK;
}

static ta_status poll_step(void* argument, ta_error* error) {
  struct step* step = argument;
  (void)error;
  step->next = PQconnectPoll(step->session->pg);
  return TA_OK;
}

/* A failure that the server explains has a SQLSTATE, but libpq keeps it for itself here: its text is all there is. */
static ta_status drive(struct step* step, int64_t deadline, ta_error* error) {
  ta_status status = ta.core->on_thread_stack(start_step, step, error);
  while (status == TA_OK && (step->next == PGRES_POLLING_READING || step->next == PGRES_POLLING_WRITING)) {
    /* The socket may be another one after each step. */
    status =
        ta.reactor->poll(PQsocket(step->session->pg), step->next == PGRES_POLLING_READING ? TA_READABLE : TA_WRITABLE,
                         ta_left_until(&ta, deadline), NULL, TA_HERE, error);
    if (status == TA_OK) status = ta.core->on_thread_stack(poll_step, step, error);
  }
  if (status != TA_OK || step->next == PGRES_POLLING_OK) return status;
  return pg_lost(step->session, "can't connect to the PostgreSQL server", error);
}

/* What comes while nobody asks. The last word of a backend that is being terminated is one of these. */
static void on_notice(void* argument, const PGresult* notice) {
  struct ta_pg_session* session = argument;
  const char* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0)) session->is_dead = true;
}

static ta_status establish(struct ta_pg_session* session, const PQconninfoOption* options, int64_t deadline,
                           ta_error* error) {
  struct parameters parameters = {.count = 0};
  struct step step = {session, &parameters, PGRES_POLLING_FAILED};
  const char* host = value_of(options, "host");
  const bool looked_up = needs_lookup(host, value_of(options, "hostaddr"));
  ta_status status = looked_up ? look_up(&parameters, host, deadline, error) : TA_OK;
  if (status != TA_OK) return status;
  for (const PQconninfoOption* option = options; option->keyword; ++option) {
    if (!option->val || (looked_up && strcmp(option->keyword, "host") == 0)) continue;
    add(&parameters, option->keyword, option->val);
  }
  status = drive(&step, deadline, error);
  if (status != TA_OK) return status;
  PQsetNoticeReceiver(session->pg, on_notice, session);
  if (PQsetnonblocking(session->pg, 1) != 0) return pg_lost(session, "can't make the connection non-blocking", error);
  return ta.reactor->poll_event(PQsocket(session->pg), TA_READABLE, &session->readable, error);
}

ta_status pg_connect(const char* conninfo, int64_t limit, struct ta_pg_session** made, ta_error* error) {
  const int64_t deadline = ta_deadline_after(&ta, limit);
  char* complaint = NULL;
  PQconninfoOption* options = PQconninfoParse(conninfo, &complaint);
  struct ta_pg_session* session = calloc(1, sizeof *session);
  ta_status status = TA_OK;
  if (!options) {
    status = ta_fail(error, TA_MISUSE, 0, complaint ? complaint : "the connection string can't be read");
  } else if (!session) {
    status = ta_fail(error, TA_NO_MEMORY, 0, "no memory for a connection");
  } else {
    status = establish(session, options, deadline, error);
  }
  PQfreemem(complaint);
  PQconninfoFree(options);
  if (status == TA_OK) {
    *made = session;
  } else if (session) {
    pg_disconnect(session);
  }
  return status;
}

/* The event first: it watches the descriptor that is closed here. */
void pg_disconnect(struct ta_pg_session* session) {
  if (session->readable) ta.event->release(session->readable);
  PQfinish(session->pg);
  free(session);
}
