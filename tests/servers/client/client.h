/* A client of a database server, driven by lines on its standard input: tests/servers/client.py starts it, does harm to the
 * server meanwhile, and judges what it prints. It knows <trueasync.h> and the header of the extension. */
#ifndef TRUEASYNC_TESTS_CLIENT_H
#define TRUEASYNC_TESTS_CLIENT_H

#include <trueasync.h>

extern ta_api ta;

enum { WORKERS = 64, CONNECTIONS = 8 };

struct client_settings {
  const char* extension; /* the shared object */
  const char* target;    /* PostgreSQL: a connection string; Redis: HOST:PORT or the path of a Unix socket */
  int64_t connect_limit;
  int64_t healthcheck_interval;
};

/* One kind of server. */
struct driver {
  const char* name;
  ta_status (*open)(const struct client_settings* settings, ta_error* error);
  void (*close)(void);
  ta_pool* (*pool)(void);
  /* One transaction within the limit. `right`: the answer is what it must be. */
  ta_status (*work)(unsigned worker, unsigned number, int64_t timeout_ns, bool* right, ta_error* error);
  /* Whether the functions of the extension do what they promise; the text says which does not. */
  ta_status (*check_contract)(ta_error* error);
  /* How many writes the server has confirmed. */
  unsigned long (*confirmed)(void);
};

extern const struct driver redis_driver;
extern const struct driver postgres_driver;

/* Starts WORKERS coroutines that share `count` transactions; prints a line "done ..." when all of them have ended. */
ta_status start_work(const struct driver* driver, unsigned count, int64_t timeout_ns, int64_t pause, ta_error* error);
bool is_at_work(void);

#endif
