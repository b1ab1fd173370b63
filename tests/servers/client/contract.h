/* Shared by the contract checks of both extensions. */
#ifndef TRUEASYNC_TESTS_CONTRACT_H
#define TRUEASYNC_TESTS_CONTRACT_H

#include "client.h"

#define LINE_TEXT(line) "line " #line ": "
#define LINE_PREFIX(line) LINE_TEXT(line)
/* A failure ends the check. */
#define REQUIRE(condition)                                                                                          \
  do {                                                                                                              \
    if (!(condition)) return ta_fail(error, TA_FAILED, 0, __FILE__ " " LINE_PREFIX(__LINE__) #condition " failed"); \
  } while (0)

static inline uint64_t destroyed_in(ta_pool* pool) {
  ta_pool_statistics now = TA_OPTIONS(ta_pool_statistics);
  ta.pool->statistics(pool, &now, NULL);
  return now.active == 0 ? now.destroyed : UINT64_MAX;
}

static inline uint64_t active_in(ta_pool* pool) {
  ta_pool_statistics now = TA_OPTIONS(ta_pool_statistics);
  ta.pool->statistics(pool, &now, NULL);
  return now.active;
}

/* Cancels a coroutine that waits for the response in `call`. Returns the status of the coroutine. The coroutine may have to
 * connect first, which takes long on a busy machine: it is cancelled some time after it got a connection of `pool`. */
static inline ta_status cancel_while_waiting(ta_function call, ta_pool* pool, ta_error* error) {
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_coroutine* coroutine = NULL;
  ta_status status = TA_OK;
  options.entry = call;
  status = ta.core->spawn(&options, &coroutine, TA_HERE, error);
  while (status == TA_OK && active_in(pool) == 0) status = ta.core->sleep(TA_MILLISECONDS(5), TA_HERE, error);
  if (status == TA_OK) status = ta.core->sleep(TA_MILLISECONDS(50), TA_HERE, error);
  if (status == TA_OK) status = ta.core->cancel(coroutine, error);
  if (status == TA_OK) status = ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, error);
  if (coroutine) ta.core->release(coroutine);
  return status;
}

#endif
