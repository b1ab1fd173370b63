/* Microtasks and switch handlers. */
#include "programs.h"

struct log {
  int entries[16];
  int count;
};

static ta_status record_run(void* argument, ta_error* error) {
  struct log* log = argument;
  (void)error;
  log->entries[log->count++] = 1;
  return TA_OK;
}

static void record_dispose(void* argument) {
  struct log* log = argument;
  log->entries[log->count++] = 2;
}

PROGRAM(microtasks_run_before_switch) {
  struct log log = {{0}, 0};
  ta_microtask* kept = NULL;
  ta_error failure = TA_ERROR_INIT;
  (void)argument;
  REQUIRE(ta.core->queue_microtask(record_run, &log, record_dispose, NULL, error) == TA_OK);
  REQUIRE(log.count == 0);
  REQUIRE(ta.core->yield(TA_HERE, error) == TA_OK);
  REQUIRE(log.count == 2 && log.entries[0] == 1 && log.entries[1] == 2);

  /* A cancelled microtask does not run. Its argument is disposed of when the handle is released. */
  log.count = 0;
  REQUIRE(ta.core->queue_microtask(record_run, &log, record_dispose, &kept, error) == TA_OK);
  ta.core->cancel_microtask(kept);
  REQUIRE(ta.core->yield(TA_HERE, error) == TA_OK);
  REQUIRE(log.count == 0);
  ta.core->release_microtask(kept);
  REQUIRE(log.count == 1 && log.entries[0] == 2);

  REQUIRE(ta.core->queue_microtask(NULL, &log, record_dispose, NULL, &failure) == TA_MISUSE);
  REQUIRE(log.count == 2);
  return TA_OK;
}

static bool record_switch(ta_coroutine* coroutine, ta_switch_kind kind, void* argument) {
  struct log* log = argument;
  (void)coroutine;
  log->entries[log->count++] = (int)kind;
  return true;
}

static bool record_once(ta_coroutine* coroutine, ta_switch_kind kind, void* argument) {
  record_switch(coroutine, kind, argument);
  return false;
}

static ta_status yield_twice(void* argument, ta_error* error) {
  ta_status status = ta.core->add_switch_handler(NULL, record_switch, argument, NULL, error);
  if (status == TA_OK) status = ta.core->yield(TA_HERE, error);
  if (status == TA_OK) status = ta.core->yield(TA_HERE, error);
  return status;
}

PROGRAM(switch_handlers_follow_one_coroutine) {
  struct log log = {{0}, 0};
  struct log own = {{0}, 0};
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_coroutine* coroutine = NULL;
  uint64_t id = 0;
  (void)argument;
  options.entry = yield_twice;
  options.argument = &log;
  REQUIRE(ta.core->spawn(&options, &coroutine, TA_HERE, error) == TA_OK);
  for (int i = 0; i < 3; ++i) REQUIRE(ta.core->yield(TA_HERE, error) == TA_OK); /* runs the coroutine each time */
  REQUIRE(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK);
  ta.core->release(coroutine);
  REQUIRE(log.count == 5 && log.entries[0] == TA_SWITCH_LEAVE && log.entries[1] == TA_SWITCH_ENTER);
  REQUIRE(log.entries[4] == TA_SWITCH_FINISH);

  REQUIRE(ta.core->add_switch_handler(NULL, record_once, &own, NULL, error) == TA_OK);
  REQUIRE(ta.core->add_switch_handler(ta.core->current(), record_switch, &own, &id, error) == TA_OK);
  REQUIRE(ta.core->remove_switch_handler(NULL, id, error) == TA_OK);
  REQUIRE(ta.core->remove_switch_handler(NULL, id, NULL) == TA_EMPTY);
  REQUIRE(ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error) == TA_OK);
  REQUIRE(ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error) == TA_OK);
  REQUIRE(own.count == 1);
  return TA_OK;
}
