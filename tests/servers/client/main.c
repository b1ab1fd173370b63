/* usage: database_client redis|postgres EXTENSION TARGET [CONNECT_MS [HEALTHCHECK_MS]]
 *
 *   run COUNT TIMEOUT_MS PAUSE_US  runs transactions in the background; prints "done ..." at the end
 *   contract                       checks the contract of the extension's functions; prints "contract ok"
 *   connections TIMEOUT_MS         acquires all connections; prints "connections N"
 *   statistics                     prints the statistics of the pool and the number of open descriptors
 *   close                          closes the pool and prints the statistics
 *   (end of input)                 waits for the transactions and exits with 0 if the runtime has no leaks */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "client.h"

ta_api ta = {.size = sizeof(ta_api)};

static const struct driver* driver;
static bool is_open;

static int open_descriptors(void) {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  if (!folder) return -1;
  while (readdir(folder)) ++count;
  closedir(folder);
  return count - 3; /* ".", ".." and the descriptor of `folder` */
}

static ta_status print_statistics(ta_error* error) {
  ta_pool_statistics now = TA_OPTIONS(ta_pool_statistics);
  const ta_status status = ta.pool->statistics(driver->pool(), &now, error);
  if (status != TA_OK) return status;
  printf(
      "statistics total=%lu idle=%lu active=%lu reserved=%lu creating=%lu waiting=%lu created=%lu destroyed=%lu "
      "acquired=%lu timeouts=%lu failed_creations=%lu failed_checks=%lu leaks=%lu descriptors=%d\n",
      now.total, now.idle, now.active, now.reserved, now.creating, now.waiting, now.created, now.destroyed,
      now.acquired, now.timeouts, now.failed_creations, now.failed_checks, now.leaks, open_descriptors());
  return TA_OK;
}

/* Holds all leases at the same time, so that no connection is counted twice. */
static ta_status count_connections(int64_t timeout_ns, ta_error* error) {
  ta_lease leases[CONNECTIONS];
  int count = 0;
  (void)error;
  for (int64_t end = ta.reactor->now() + timeout_ns; count < CONNECTIONS && ta.reactor->now() < end;) {
    ta_error failure = TA_ERROR_INIT;
    const int64_t remaining = end - ta.reactor->now();
    if (ta.pool->acquire(driver->pool(), remaining > 0 ? remaining : 0, &leases[count], TA_HERE, &failure) == TA_OK) {
      ++count;
    } else {
      printf("note %s\n", failure.message);
    }
  }
  printf("connections %d\n", count);
  while (count > 0) ta.pool->release(driver->pool(), &leases[--count], TA_RELEASE_CLEAN, NULL);
  return TA_OK;
}

static ta_status run_command(const char* line, ta_error* error) {
  unsigned count = 0;
  unsigned milliseconds = 0;
  unsigned microseconds = 0;
  if (sscanf(line, "run %u %u %u", &count, &milliseconds, &microseconds) == 3) {
    return start_workload(driver, count, TA_MILLISECONDS(milliseconds), TA_MICROSECONDS(microseconds), error);
  }
  if (sscanf(line, "connections %u", &milliseconds) == 1)
    return count_connections(TA_MILLISECONDS(milliseconds), error);
  if (strcmp(line, "contract") == 0) {
    const ta_status status = driver->check_contract(error);
    printf("contract %s\n", status == TA_OK ? "ok" : error->message);
    return TA_OK;
  }
  if (strcmp(line, "statistics") == 0) return print_statistics(error);
  if (strcmp(line, "close") == 0) {
    ta_status status = ta.pool->drain(driver->pool(), TA_SECONDS(5), NULL, TA_HERE, error);
    if (status == TA_OK) status = print_statistics(error);
    driver->close();
    is_open = false;
    return status;
  }
  return ta_fail(error, TA_MISUSE, 0, "unknown command");
}

static ta_status run_commands(ta_io* input, ta_error* error) {
  char buffer[512];
  size_t filled = 0;
  for (;;) {
    size_t got = 0;
    char* end = NULL;
    ta_status status =
        ta.io->read(input, buffer + filled, sizeof buffer - filled - 1, &got, TA_NO_TIMEOUT, TA_HERE, error);
    if (status != TA_OK || got == 0) return status;
    filled += got;
    buffer[filled] = 0;
    while (status == TA_OK && (end = strchr(buffer, '\n'))) {
      *end = 0;
      status = run_command(buffer, error);
      fflush(stdout);
      filled -= (size_t)(end + 1 - buffer);
      memmove(buffer, end + 1, filled + 1);
    }
    if (status != TA_OK) return status;
  }
}

static ta_status serve(const struct client_settings* settings, ta_error* error) {
  ta_io* input = NULL;
  ta_status status = ta.io->adopt(0, "standard input", &input, error);
  if (status == TA_OK) status = driver->open(settings, error);
  if (status == TA_OK) {
    is_open = true;
    printf("ready descriptors=%d\n", open_descriptors());
    fflush(stdout);
    status = run_commands(input, error);
    while (is_workload_running() && ta.core->sleep(TA_MILLISECONDS(5), TA_HERE, NULL) == TA_OK) continue;
    if (is_open) driver->close();
  }
  if (input) ta.io->destroy(input);
  return status;
}

static ta_status run(const struct client_settings* settings, ta_error* error) {
  ta_statistics leaks = TA_OPTIONS(ta_statistics);
  ta_runtime* runtime = NULL;
  ta_status ended = TA_OK;
  ta_status status = ta.runtime->create(NULL, &runtime, error);
  if (status != TA_OK) return status;
  status = ta.runtime->attach(runtime, TA_HERE, error);
  if (status == TA_OK) {
    status = serve(settings, error);
    ended = ta.runtime->detach(runtime, TA_HERE, status == TA_OK ? error : NULL);
    if (status == TA_OK) status = ended;
  }
  if (status == TA_OK) status = ta.runtime->statistics(runtime, &leaks, error);
  if (status == TA_OK &&
      leaks.leaked_coroutines + leaks.leaked_timers + leaks.leaked_events + leaks.leaked_microtasks != 0) {
    status = ta_fail(error, TA_FAILED, 0, "the runtime has leaks");
  }
  ta.runtime->destroy(runtime);
  return status;
}

int main(int argc, char** argv) {
  struct client_settings settings = {argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : "",
                                     TA_MILLISECONDS(argc > 4 ? atoi(argv[4]) : 2000),
                                     TA_MILLISECONDS(argc > 5 ? atoi(argv[5]) : 0)};
  ta_error error = TA_ERROR_INIT;
  ta_status status = TA_OK;
  if (argc < 4) return 2;
#ifdef TRUEASYNC_WITH_REDIS
  if (strcmp(argv[1], "redis") == 0) driver = &redis_driver;
#endif
#ifdef TRUEASYNC_WITH_POSTGRES
  if (strcmp(argv[1], "postgres") == 0) driver = &postgres_driver;
#endif
  if (!driver) return 2;
  status = ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &ta, &error);
  if (status == TA_OK) status = run(&settings, &error);
  if (status == TA_OK) return 0;
  fprintf(stderr, "status %d: %s\n", (int)status, error.message);
  return 1;
}
