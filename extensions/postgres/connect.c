/* Connecting. The runtime looks up the names, because libpq's lookup blocks the thread. libpq's steps run on the thread's
 * stack, because the code they call (TLS, user files) may need a large stack. */
#include <stdlib.h>

#include "addresses.h"

enum { PARAMETERS_MAX = 64 };

struct parameters {
  const char* names[PARAMETERS_MAX];
  const char* values[PARAMETERS_MAX];
  size_t count;
  /* host and hostaddr as lists of the same length; NULL: as in the connection string */
  char* hosts;
  char* addresses;
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

/* Only a single name is looked up here. libpq handles a list, a path or an address itself. */
static bool needs_lookup(const char* host, const char* address) {
  return host && !address && host[0] != '/' && host[0] != '@' && !strchr(host, ',');
}

static ta_status set_parameters(struct parameters* parameters, const PQconninfoOption* options,
                                const struct pg_addresses* addresses, ta_error* error) {
  if (addresses->count != 0) {
    parameters->hosts = pg_join(value_of(options, "host"), 0, addresses->count);
    parameters->addresses = pg_join(addresses->texts[0], sizeof addresses->texts[0], addresses->count);
    if (!parameters->hosts || !parameters->addresses)
      return ta_fail(error, TA_NO_MEMORY, 0, "cannot allocate a connection");
    add(parameters, "host", parameters->hosts);
    add(parameters, "hostaddr", parameters->addresses);
  }
  for (const PQconninfoOption* option = options; option->keyword; ++option) {
    if (!option->val || (parameters->hosts && strcmp(option->keyword, "host") == 0)) continue;
    add(parameters, option->keyword, option->val);
  }
  return TA_OK;
}

struct step {
  struct ta_pg_session* session;
  const struct parameters* parameters;
  const struct pg_addresses* addresses;
  PostgresPollingStatusType next;
  const char* address;      /* of the TCP connection in flight; NULL: none */
  int64_t address_deadline; /* of that connection */
};

static ta_status start_step(void* argument, ta_error* error) {
  struct step* step = argument;
  step->session->pg = PQconnectStartParams(step->parameters->names, step->parameters->values, 0);
  if (!step->session->pg) return ta_fail(error, TA_NO_MEMORY, 0, "cannot allocate a connection");
  step->next = PQstatus(step->session->pg) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  return TA_OK;
}

static ta_status poll_step(void* argument, ta_error* error) {
  struct step* step = argument;
  (void)error;
  step->next = PQconnectPoll(step->session->pg);
  return TA_OK;
}

/* libpq tries the next address after a refused connection, but has no timeout for an address that does not answer. Each
 * address gets an equal share of the remaining time, so that such an address leaves time for the next. */
static int64_t step_deadline(struct step* step, int64_t deadline) {
  const char* address = NULL;
  if (step->addresses->count == 0 || deadline == TA_NO_DEADLINE) return deadline;
  if (PQstatus(step->session->pg) == CONNECTION_STARTED) address = PQhostaddr(step->session->pg);
  if (address && address != step->address) {
    const size_t remaining = step->addresses->count - pg_index_of(step->addresses, address);
    step->address_deadline =
        remaining > 1 ? deadline - ta_remaining_until(&ta, deadline) / (int64_t)remaining * (int64_t)(remaining - 1)
                      : deadline;
  }
  step->address = address;
  return address ? step->address_deadline : deadline;
}

/* libpq does not return the SQLSTATE of a failed connection, only its message. */
static ta_status drive(struct step* step, int64_t deadline, ta_error* error) {
  ta_status status = ta.core->run_on_thread_stack(start_step, step, error);
  while (status == TA_OK && (step->next == PGRES_POLLING_READING || step->next == PGRES_POLLING_WRITING)) {
    /* Each step may change the socket. */
    status =
        ta.reactor->poll(PQsocket(step->session->pg), step->next == PGRES_POLLING_READING ? TA_READABLE : TA_WRITABLE,
                         ta_remaining_until(&ta, step_deadline(step, deadline)), NULL, TA_HERE, error);
    if (status == TA_OK) status = ta.core->run_on_thread_stack(poll_step, step, error);
  }
  if (status != TA_OK || step->next == PGRES_POLLING_OK) return status;
  return pg_lost(step->session, "cannot connect to the PostgreSQL server", error);
}

/* libpq has no call that abandons one address of its list. After the timeout of an address libpq therefore starts again
 * with a list without it. */
static ta_status connect_any(struct ta_pg_session* session, const PQconninfoOption* options,
                             struct pg_addresses* addresses, int64_t deadline, ta_error* error) {
  for (;;) {
    struct parameters parameters = {.count = 0};
    struct step step = {session, &parameters, addresses, PGRES_POLLING_FAILED, NULL, deadline};
    ta_status status = set_parameters(&parameters, options, addresses, error);
    if (status == TA_OK) status = drive(&step, deadline, error);
    free(parameters.hosts);
    free(parameters.addresses);
    if (status != TA_TIMEOUT || !step.address || step.address_deadline >= deadline) return status;
    pg_remove_address(addresses, step.address);
    PQfinish(session->pg);
    session->pg = NULL;
  }
}

/* Receives messages outside a query, also the last message of a backend that is terminated. */
static void on_notice(void* argument, const PGresult* notice) {
  struct ta_pg_session* session = argument;
  const char* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0)) session->is_dead = true;
}

static ta_status establish(struct ta_pg_session* session, const PQconninfoOption* options, int64_t deadline,
                           ta_error* error) {
  struct pg_addresses addresses = {0, NULL};
  const char* host = value_of(options, "host");
  ta_status status = TA_OK;
  if (needs_lookup(host, value_of(options, "hostaddr"))) status = pg_look_up(host, deadline, &addresses, error);
  if (status == TA_OK) status = connect_any(session, options, &addresses, deadline, error);
  pg_free_addresses(&addresses);
  if (status != TA_OK) return status;
  PQsetNoticeReceiver(session->pg, on_notice, session);
  if (PQsetnonblocking(session->pg, 1) != 0) return pg_lost(session, "cannot make the connection nonblocking", error);
  return ta.reactor->poll_event(PQsocket(session->pg), TA_READABLE, &session->readable, error);
}

ta_status pg_connect(const char* conninfo, int64_t timeout_ns, struct ta_pg_session** created, ta_error* error) {
  const int64_t deadline = ta_deadline_after(&ta, timeout_ns);
  char* parse_error = NULL;
  PQconninfoOption* options = PQconninfoParse(conninfo, &parse_error);
  struct ta_pg_session* session = calloc(1, sizeof *session);
  ta_status status = TA_OK;
  if (!options) {
    status =
        ta_fail(error, TA_MISUSE, 0, parse_error ? parse_error : "ta_pg_options.conninfo: invalid connection string");
  } else if (!session) {
    status = ta_fail(error, TA_NO_MEMORY, 0, "cannot allocate a connection");
  } else {
    status = establish(session, options, deadline, error);
  }
  PQfreemem(parse_error);
  PQconninfoFree(options);
  if (status == TA_OK) {
    *created = session;
  } else if (session) {
    pg_disconnect(session);
  }
  return status;
}

/* The event uses the descriptor, so it is released before the descriptor is closed. */
void pg_disconnect(struct ta_pg_session* session) {
  if (session->readable) ta.event->release(session->readable);
  PQfinish(session->pg);
  free(session);
}
