/* Many coroutines at work, and an account of how each of their transactions ended.
 *
 * Late is who waits past its limit by more than a tick and the worst delay that a coroutine which only sleeps has seen
 * meanwhile: so a busy machine makes nobody late. */
#include <stdio.h>
#include <stdlib.h>

#include "client.h"

enum { STATUSES = 1100 };
#define TICK TA_MILLISECONDS(20)
#define BEAT TA_MILLISECONDS(5)

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
  int64_t stall; /* the worst delay of the metronome */
  bool over;
};

struct worker {
  struct workload* load;
  unsigned number;
};

static unsigned running;
static unsigned last_number; /* of all transactions: no two have the same */

bool is_at_work(void) { return running != 0; }

static ta_status beat(void* argument, ta_error* error) {
  struct workload* load = argument;
  while (!load->over) {
    const int64_t begun = ta.reactor->now();
    const ta_status status = ta.core->sleep(BEAT, TA_HERE, error);
    const int64_t delay = ta.reactor->now() - begun - BEAT;
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

static void end(void* argument) {
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

static ta_status conduct(void* argument, ta_error* error) {
  struct workload* load = argument;
  struct worker workers[WORKERS];
  ta_coroutine* coroutines[WORKERS];
  ta_coroutine* metronome = NULL;
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_status status = TA_OK;
  options.entry = beat;
  options.argument = load;
  status = ta.core->spawn(&options, &metronome, TA_HERE, error);
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
  load->over = true;
  if (status == TA_OK) status = ta.core->await(metronome, TA_NO_TIMEOUT, TA_HERE, error);
  if (metronome) ta.core->release(metronome);
  if (status == TA_OK) report(load);
  return status;
}

ta_status start_work(const struct driver* driver, unsigned count, int64_t timeout_ns, int64_t pause, ta_error* error) {
  struct workload* load = calloc(1, sizeof *load);
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  if (!load) return ta_fail(error, TA_NO_MEMORY, 0, "no memory");
  load->driver = driver;
  load->count = count;
  load->timeout_ns = timeout_ns;
  load->pause = pause;
  options.entry = conduct;
  options.argument = load;
  options.dispose = end;
  ++running;
  return ta.core->spawn(&options, NULL, TA_HERE, error);
}
