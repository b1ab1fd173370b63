/* Runs transactions in many coroutines and counts their results.
 *
 * A transaction is late if it exceeds its timeout by more than TICK plus the longest delay of a coroutine that only sleeps.
 * Thus a busy machine does not make transactions late. */
#include <stdio.h>
#include <stdlib.h>

#include "client.h"

enum { STATUSES = 1100 };
#define TICK TA_MILLISECONDS(20)
#define STALL_INTERVAL TA_MILLISECONDS(5)

struct workload {
  const struct driver* driver;
  int64_t timeout_ns;
  int64_t pause;
  unsigned count;
  unsigned begun;
  unsigned right;
  unsigned wrong;
  unsigned failed[STATUSES];
  char texts[STATUSES][160];
  int64_t worst;
  int64_t stall; /* the longest delay of the stall monitor */
  bool done;
};

struct worker {
  struct workload* load;
  unsigned number;
};

static unsigned running;
static unsigned last_number; /* unique over all transactions */

bool is_workload_running(void) { return running != 0; }

static ta_status measure_stalls(void* argument, ta_error* error) {
  struct workload* load = argument;
  while (!load->done) {
    const int64_t begun = ta.reactor->now();
    const ta_status status = ta.core->sleep(STALL_INTERVAL, TA_HERE, error);
    const int64_t delay = ta.reactor->now() - begun - STALL_INTERVAL;
    if (status != TA_OK) return status;
    if (delay > load->stall) load->stall = delay;
  }
  return TA_OK;
}

static void note_failure(struct workload* load, ta_status status, const ta_error* failure) {
  if (status < 0 || status >= STATUSES) status = STATUSES - 1;
  if (load->failed[status]++ == 0)
    snprintf(load->texts[status], sizeof load->texts[status], "%.159s", failure->message);
}

static ta_status work(void* argument, ta_error* error) {
  struct worker* self = argument;
  struct workload* load = self->load;
  while (load->begun < load->count) {
    const unsigned number = ++last_number;
    const int64_t begun = ta.reactor->now();
    ta_error failure = TA_ERROR_INIT;
    bool right = false;
    ta_status status = TA_OK;
    int64_t took = 0;
    ++load->begun;
    status = load->driver->work(self->number, number, load->timeout_ns, &right, &failure);
    took = ta.reactor->now() - begun;
    if (took > load->worst) load->worst = took;
    if (status != TA_OK) {
      note_failure(load, status, &failure);
    } else if (right) {
      ++load->right;
    } else {
      ++load->wrong;
    }
    if (load->pause > 0 && ta.core->sleep(load->pause, TA_HERE, error) != TA_OK) return TA_CANCELLED;
  }
  return TA_OK;
}

static void free_workload(void* argument) {
  --running;
  free(argument);
}

static void report(const struct workload* load) {
  unsigned failed = 0;
  for (int i = 0; i < STATUSES; ++i) failed += load->failed[i];
  for (int i = 0; i < STATUSES; ++i) {
    if (load->failed[i]) printf("failure status=%d count=%u text=%s\n", i, load->failed[i], load->texts[i]);
  }
  printf("done begun=%u right=%u wrong=%u failed=%u timeouts=%u worst_us=%lld stall_us=%lld late=%d confirmed=%lu\n",
         load->begun, load->right, load->wrong, failed, load->failed[TA_TIMEOUT], (long long)load->worst / 1000,
         (long long)load->stall / 1000, load->worst > load->timeout_ns + load->stall + TICK, load->driver->confirmed());
  fflush(stdout);
}

static ta_status run_workers(void* argument, ta_error* error) {
  struct workload* load = argument;
  struct worker workers[WORKERS];
  ta_coroutine* coroutines[WORKERS];
  ta_coroutine* stall_monitor = NULL;
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_status status = TA_OK;
  options.entry = measure_stalls;
  options.argument = load;
  status = ta.core->spawn(&options, &stall_monitor, TA_HERE, error);
  options.entry = work;
  for (unsigned i = 0; i < WORKERS && status == TA_OK; ++i) {
    workers[i] = (struct worker){load, i};
    options.argument = &workers[i];
    status = ta.core->spawn(&options, &coroutines[i], TA_HERE, error);
  }
  for (unsigned i = 0; i < WORKERS && status == TA_OK; ++i) {
    status = ta.core->await(coroutines[i], TA_NO_TIMEOUT, TA_HERE, error);
    ta.core->release(coroutines[i]);
  }
  load->done = true;
  if (status == TA_OK) status = ta.core->await(stall_monitor, TA_NO_TIMEOUT, TA_HERE, error);
  if (stall_monitor) ta.core->release(stall_monitor);
  if (status == TA_OK) report(load);
  return status;
}

ta_status start_workload(const struct driver* driver, unsigned count, int64_t timeout_ns, int64_t pause,
                         ta_error* error) {
  struct workload* load = calloc(1, sizeof *load);
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  if (!load) return ta_fail(error, TA_NO_MEMORY, 0, "cannot allocate the workload");
  load->driver = driver;
  load->count = count;
  load->timeout_ns = timeout_ns;
  load->pause = pause;
  options.entry = run_workers;
  options.argument = load;
  options.dispose = free_workload;
  ++running;
  return ta.core->spawn(&options, NULL, TA_HERE, error);
}
