/* A database client that executes commands from standard input. tests/servers/client.py starts it, injects faults into the
 * server and checks the output. It uses only <trueasync.h> and the header of the extension. */
#ifndef TRUEASYNC_TESTS_CLIENT_H
#define TRUEASYNC_TESTS_CLIENT_H

#include <trueasync.h>

extern ta_api ta;

enum { WORKERS = 64, CONNECTIONS = 8 };

struct client_settings {
  const char* extension; /* the shared object */
  const char* target;    /* PostgreSQL: a connection string; Redis: HOST:PORT or the path of a Unix socket */
  int64_t connect_timeout_ns;
  int64_t healthcheck_interval_ns;
};

/* One kind of server. */
struct driver {
  const char* name;
  ta_status (*open)(const struct client_settings* settings, ta_error* error);
  void (*close)(void);
  ta_pool* (*pool)(void);
  /* Runs one transaction. `right`: the response is correct. */
  ta_status (*work)(unsigned worker, unsigned number, int64_t timeout_ns, bool* right, ta_error* error);
  /* Checks the contract of the extension's functions; the message names the failed check. */
  ta_status (*check_contract)(ta_error* error);
  /* Number of writes confirmed by the server. */
  unsigned long (*confirmed)(void);
};

extern const struct driver redis_driver;
extern const struct driver postgres_driver;

/* Starts WORKERS coroutines that run `count` transactions together. Prints a line "done ..." when all have finished. */
ta_status start_workload(const struct driver* driver, unsigned count, int64_t timeout_ns, int64_t pause,
                         ta_error* error);
bool is_workload_running(void);

#endif
