/* Transactions of four kinds: a computation, a write, several statements in a session, and a session that ends with an open
 * transaction and a changed setting. Its rows (negative numbers) and its setting must never be visible. */
#include "postgres.h"

#include <stdio.h>
#include <stdlib.h>

#include "client.h"
#include "support/deadline.h"

const ta_pg_table* pg;
ta_pg* database;
static unsigned long confirmed;

struct numbers {
  char texts[2][24];
  const char* values[2];
};

static void set_numbers(struct numbers* numbers, long first, long second) {
  snprintf(numbers->texts[0], sizeof numbers->texts[0], "%ld", first);
  snprintf(numbers->texts[1], sizeof numbers->texts[1], "%ld", second);
  numbers->values[0] = numbers->texts[0];
  numbers->values[1] = numbers->texts[1];
}

static ta_status open_postgres(const struct client_settings* settings, ta_error* error) {
  ta_pg_options options = TA_OPTIONS(ta_pg_options);
  ta_status status = ta.runtime->load_extension(settings->extension, &pg, error);
  if (status != TA_OK) return status;
  options.conninfo = settings->target;
  options.max = CONNECTIONS;
  options.connect_timeout_ns = settings->connect_timeout_ns;
  options.healthcheck_interval_ns = settings->healthcheck_interval_ns;
  return pg->open(&options, &database, TA_HERE, error);
}

static void close_postgres(void) {
  pg->close(database);
  database = NULL;
}

static ta_pool* pool(void) { return pg->pool(database); }

static long first_value(PGresult* result) {
  const long value = PQntuples(result) == 1 ? atol(PQgetvalue(result, 0, 0)) : -1;
  pg->clear(result);
  return value;
}

/* Returns -1 if a setting of an earlier session is visible. */
static const char kCompute[] =
    "select case when coalesce(current_setting('trace.mark', true), '') = '' then $1::int8 * 1000000 + $2::int8 "
    "else -1 end";

static ta_status compute(unsigned worker, unsigned number, int64_t timeout_ns, bool* right, ta_error* error) {
  struct numbers numbers;
  PGresult* result = NULL;
  ta_status status = TA_OK;
  set_numbers(&numbers, worker, number);
  status = pg->query(database, kCompute, numbers.values, 2, timeout_ns, &result, TA_HERE, error);
  if (status == TA_OK) {
    *right = first_value(result) == (long)worker * 1000000 + (long)number;
  } else {
    pg->clear(result);
  }
  return status;
}

static const char kInsert[] = "insert into ledger values ($1, $2) returning number";

static ta_status write_one(unsigned worker, unsigned number, int64_t timeout_ns, bool* right, ta_error* error) {
  struct numbers numbers;
  PGresult* result = NULL;
  ta_status status = TA_OK;
  set_numbers(&numbers, worker, number);
  status = pg->query(database, kInsert, numbers.values, 2, timeout_ns, &result, TA_HERE, error);
  if (status == TA_OK) {
    *right = first_value(result) == (long)number;
    ++confirmed;
  } else {
    pg->clear(result);
  }
  return status;
}

struct transaction {
  ta_pg_session* session;
  int64_t deadline;
  ta_error* error;
};

static ta_status step(struct transaction* transaction, const char* sql, struct numbers* numbers, long* value) {
  PGresult* result = NULL;
  const ta_status status =
      pg->session_query(transaction->session, sql, numbers ? numbers->values : NULL, numbers ? 2 : 0,
                        ta_remaining_until(&ta, transaction->deadline), &result, TA_HERE, transaction->error);
  if (status == TA_OK && value) {
    *value = first_value(result);
  } else {
    pg->clear(result);
  }
  return status;
}

static ta_status transact(struct transaction* transaction, unsigned worker, long number, bool* right) {
  struct numbers numbers;
  long inserted = 0;
  long seen = 0;
  ta_status status = TA_OK;
  set_numbers(&numbers, worker, number);
  *right = !pg->in_transaction(transaction->session); /* the earlier session was reset */
  if (number < 0) status = step(transaction, "set trace.mark = 'set'", NULL, NULL);
  if (status == TA_OK) status = step(transaction, "begin", NULL, NULL);
  if (status == TA_OK) status = step(transaction, kInsert, &numbers, &inserted);
  if (status == TA_OK) {
    status = step(transaction, "select count(*) from ledger where worker = $1 and number = $2", &numbers, &seen);
  }
  *right = *right && inserted == number && seen == 1;
  if (status != TA_OK || number < 0) return status;
  status = step(transaction, "commit", NULL, NULL);
  if (status == TA_OK) ++confirmed;
  return status;
}

static ta_status in_session(unsigned worker, long number, int64_t timeout_ns, bool* right, ta_error* error) {
  struct transaction transaction = {NULL, ta_deadline_after(&ta, timeout_ns), error};
  ta_status status = pg->begin_session(database, timeout_ns, &transaction.session, TA_HERE, error);
  if (status != TA_OK) return status;
  status = transact(&transaction, worker, number, right);
  pg->end_session(transaction.session, ta_remaining_until(&ta, transaction.deadline), NULL);
  return status;
}

static ta_status work(unsigned worker, unsigned number, int64_t timeout_ns, bool* right, ta_error* error) {
  switch (number % 8) {
    case 0:
      return in_session(worker, -(long)number, timeout_ns, right, error);
    case 1:
    case 2:
      return in_session(worker, (long)number, timeout_ns, right, error);
    case 3:
    case 4:
      return write_one(worker, number, timeout_ns, right, error);
    default:
      return compute(worker, number, timeout_ns, right, error);
  }
}

static unsigned long confirmed_writes(void) { return confirmed; }

const struct driver postgres_driver = {
    .name = "postgres",
    .open = open_postgres,
    .close = close_postgres,
    .pool = pool,
    .work = work,
    .check_contract = check_postgres_contract,
    .confirmed = confirmed_writes,
};
