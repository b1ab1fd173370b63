/* Coroutines of a C program. */
#include <stdlib.h>

#include "programs.h"

struct steps {
  int count;
  int order[16];
};

static struct steps steps;

static void record_step(int number) { steps.order[steps.count++] = number; }

static ta_status count_up(void* argument, ta_error* error) {
  int* counter = argument;
  for (int i = 0; i < 3; ++i) {
    ta_status status = ta.core->yield(TA_HERE, error);
    if (status != TA_OK) return status;
    ++*counter;
  }
  return TA_OK;
}

static ta_coroutine* start(ta_function entry, void* argument) {
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_coroutine* coroutine = NULL;
  options.entry = entry;
  options.argument = argument;
  return ta.core->spawn(&options, &coroutine, TA_HERE, NULL) == TA_OK ? coroutine : NULL;
}

PROGRAM(spawn_and_await) {
  int counters[2] = {0, 0};
  ta_coroutine* first = start(count_up, &counters[0]);
  ta_coroutine* second = start(count_up, &counters[1]);
  (void)argument;
  REQUIRE(first && second && ta.core->current());
  REQUIRE(counters[0] == 0);
  REQUIRE(ta.core->await(first, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK);
  REQUIRE(ta.core->await(second, TA_SECONDS(60), TA_HERE, error) == TA_OK);
  REQUIRE(ta.core->await(second, 0, TA_HERE, error) == TA_OK);
  REQUIRE(counters[0] == 3 && counters[1] == 3);
  ta.core->release(first);
  ta.core->release(second);
  return TA_OK;
}

enum { OWN_STATUS = TA_STATUS_USER_BASE + 5 };

static ta_status fail_with_own_code(void* argument, ta_error* error) {
  (void)argument;
  return ta_fail(error, OWN_STATUS, 42, "own failure");
}

static ta_status fail_without_message(void* argument, ta_error* error) {
  (void)argument;
  (void)error;
  return TA_FAILED;
}

PROGRAM(failures_keep_code_and_message) {
  ta_error failure = TA_ERROR_INIT;
  ta_coroutine* coroutine = start(fail_with_own_code, NULL);
  (void)argument;
  REQUIRE(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, &failure) == OWN_STATUS);
  REQUIRE(failure.status == OWN_STATUS && failure.system == 42 && strcmp(failure.message, "own failure") == 0);
  REQUIRE(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, NULL) == OWN_STATUS);
  ta.core->release(coroutine);

  coroutine = start(fail_without_message, NULL);
  REQUIRE(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, &failure) == TA_FAILED);
  REQUIRE(strstr(failure.message, "status 15"));
  ta.core->release(coroutine);
  return TA_OK;
}

static void count_dispose(void* argument) { ++*(int*)argument; }

PROGRAM(arguments_are_disposed_of_once) {
  int runs = 0;
  int disposed = 0;
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_coroutine* coroutine = NULL;
  (void)argument;
  (void)runs;
  options.entry = fail_without_message;
  options.argument = &disposed;
  options.dispose = count_dispose;
  REQUIRE(ta.core->spawn(&options, &coroutine, TA_HERE, error) == TA_OK);
  REQUIRE(disposed == 0);
  REQUIRE(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, NULL) == TA_FAILED);
  REQUIRE(disposed == 1);
  ta.core->release(coroutine);

  /* A coroutine that never starts. */
  REQUIRE(ta.core->spawn(&options, &coroutine, TA_HERE, error) == TA_OK);
  REQUIRE(ta.core->cancel(coroutine, error) == TA_OK);
  REQUIRE(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, NULL) == TA_TARGET_CANCELLED);
  REQUIRE(disposed == 2);
  ta.core->release(coroutine);

  /* A spawn that fails. */
  options.flags = UINT64_C(1) << 63;
  REQUIRE(ta.core->spawn(&options, &coroutine, TA_HERE, NULL) == TA_MISUSE);
  REQUIRE(disposed == 3);
  return TA_OK;
}

static ta_status sleep_long(void* argument, ta_error* error) {
  ta_status status = ta.core->sleep(TA_SECONDS(3600), TA_HERE, error);
  record_step(status);
  /* Cancellation is sticky: the next suspension point returns it again. */
  record_step(ta.core->yield(TA_HERE, NULL));
  (void)argument;
  return status;
}

PROGRAM(cancellation_is_a_status) {
  ta_error failure = TA_ERROR_INIT;
  ta_coroutine_info info = TA_OPTIONS(ta_coroutine_info);
  ta_coroutine* coroutine = start(sleep_long, NULL);
  (void)argument;
  steps.count = 0;
  REQUIRE(ta.core->yield(TA_HERE, error) == TA_OK);
  REQUIRE(ta.core->cancel(coroutine, error) == TA_OK);
  REQUIRE(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, &failure) == TA_TARGET_CANCELLED);
  REQUIRE(failure.status == TA_TARGET_CANCELLED && failure.message[0]);
  REQUIRE(steps.count == 2 && steps.order[0] == TA_CANCELLED && steps.order[1] == TA_CANCELLED);
  REQUIRE(ta.core->info(coroutine, &info, error) == TA_OK);
  REQUIRE(info.cancelled && info.cancel_requested && info.state == TA_COROUTINE_FINISHED);
  /* No effect on a finished coroutine. */
  REQUIRE(ta.core->cancel(coroutine, error) == TA_OK);
  ta.core->release(coroutine);
  return TA_OK;
}

static ta_status must_not_run(void* argument, ta_error* error) {
  (void)argument;
  return ta_fail(error, CHECK_FAILED, __LINE__, "the coroutine ran");
}

PROGRAM(cancellation_before_start) {
  ta_coroutine* coroutine = start(must_not_run, NULL);
  (void)argument;
  REQUIRE(ta.core->cancel(coroutine, error) == TA_OK);
  REQUIRE(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, NULL) == TA_TARGET_CANCELLED);
  ta.core->release(coroutine);
  return TA_OK;
}

PROGRAM(await_with_timeout) {
  ta_error failure = TA_ERROR_INIT;
  ta_coroutine* coroutine = start(sleep_long, NULL);
  (void)argument;
  steps.count = 0;
  REQUIRE(ta.core->await(coroutine, TA_MILLISECONDS(2), TA_HERE, &failure) == TA_TIMEOUT);
  REQUIRE(failure.status == TA_TIMEOUT && strstr(failure.message, "coroutines.c"));
  REQUIRE(ta.core->await(coroutine, 0, TA_HERE, NULL) == TA_TIMEOUT);
  REQUIRE(ta.core->cancel(coroutine, error) == TA_OK);
  REQUIRE(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, NULL) == TA_TARGET_CANCELLED);
  ta.core->release(coroutine);
  return TA_OK;
}

static ta_status clean_up(void* argument, ta_error* error) {
  ta_status status = ta.core->yield(TA_HERE, error);
  *(ta_status*)argument = status;
  return status;
}

static ta_status protected_part(void* argument, ta_error* error) {
  ta_status* results = argument;
  results[0] = ta.core->protect(clean_up, &results[1], error);
  results[2] = ta.core->yield(TA_HERE, NULL);
  /* Cleanup of a cancelled coroutine that suspends. */
  results[3] = ta.core->protect(clean_up, &results[4], NULL);
  return results[0];
}

PROGRAM(protect_defers_cancellation) {
  ta_status results[5] = {-1, -1, -1, -1, -1};
  ta_coroutine* coroutine = start(protected_part, results);
  (void)argument;
  REQUIRE(ta.core->yield(TA_HERE, error) == TA_OK);
  REQUIRE(ta.core->cancel(coroutine, error) == TA_OK);
  REQUIRE(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, NULL) == TA_TARGET_CANCELLED);
  REQUIRE(results[1] == TA_OK);        /* deferred inside protect() */
  REQUIRE(results[0] == TA_CANCELLED); /* delivered when protect() returns */
  REQUIRE(results[2] == TA_CANCELLED);
  REQUIRE(results[4] == TA_OK);
  REQUIRE(results[3] == TA_CANCELLED);
  ta.core->release(coroutine);
  REQUIRE(ta.core->protect(fail_with_own_code, NULL, NULL) == OWN_STATUS);
  return TA_OK;
}

PROGRAM(coroutine_info) {
  ta_coroutine_info info = TA_OPTIONS(ta_coroutine_info);
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_coroutine* coroutine = NULL;
  int counter = 0;
  char text[64];
  (void)argument;
  options.entry = count_up;
  options.argument = &counter;
  options.name = "counter";
  options.stack_size = 128 * 1024;
  REQUIRE(ta.core->spawn(&options, &coroutine, TA_HERE, error) == TA_OK);
  REQUIRE(ta.core->info(coroutine, &info, error) == TA_OK);
  REQUIRE(info.size == sizeof info && info.id != 0 && strcmp(info.name, "counter") == 0);
  REQUIRE(info.state == TA_COROUTINE_CREATED && strstr(info.spawn_location.file, "coroutines.c") &&
          info.spawn_location.line != 0);
  REQUIRE(ta.core->yield(TA_HERE, error) == TA_OK);
  REQUIRE(ta.core->info(coroutine, &info, error) == TA_OK);
  REQUIRE(info.state == TA_COROUTINE_READY && strstr(info.suspend_location.file, "coroutines.c"));
  REQUIRE(ta.event->describe(ta.core->event(coroutine), text, sizeof text) > 0 && strstr(text, "counter"));
  ta.core->retain(coroutine);
  ta.core->release(coroutine);
  REQUIRE(ta.event->wait(ta.core->event(coroutine), TA_NO_TIMEOUT, NULL, TA_HERE, error) == TA_OK);
  REQUIRE(counter == 3);
  ta.core->release(coroutine);
  return TA_OK;
}

PROGRAM(misuse_reports_reason) {
  ta_error failure = TA_ERROR_INIT;
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_error tiny = TA_ERROR_INIT;
  (void)argument;
  REQUIRE(ta.core->spawn(NULL, NULL, TA_HERE, &failure) == TA_MISUSE && strstr(failure.message, "NULL"));
  REQUIRE(ta.core->spawn(&options, NULL, TA_HERE, &failure) == TA_MISUSE && strstr(failure.message, "entry"));
  REQUIRE(ta.core->await(NULL, TA_NO_TIMEOUT, TA_HERE, &failure) == TA_MISUSE);
  REQUIRE(ta.core->await(ta.core->current(), TA_SECONDS(1), TA_HERE, &failure) == TA_MISUSE);
  REQUIRE(strstr(failure.message, "await itself"));
  REQUIRE(ta.core->sleep(-5, TA_HERE, &failure) == TA_MISUSE);
  /* A message is truncated to the size of the ta_error. */
  tiny.size = offsetof(ta_error, message) + 4;
  memset(tiny.message, 'x', sizeof tiny.message);
  REQUIRE(ta.core->sleep(-5, TA_HERE, &tiny) == TA_MISUSE);
  REQUIRE(strcmp(tiny.message, "sle") == 0 && tiny.message[4] == 'x');
  return error ? TA_OK : TA_MISUSE;
}

static ta_status store_address(void* argument, ta_error* error) {
  char local = 0;
  *(char**)argument = &local;
  if (ta.core->yield(TA_HERE, NULL) != TA_MISUSE) return ta_fail(error, CHECK_FAILED, __LINE__, "yield() did not fail");
  return TA_OK;
}

static ta_status compare_stacks(void* argument, ta_error* error) {
  char local = 0;
  char* address_on_thread_stack = NULL;
  ptrdiff_t distance = 0;
  (void)argument;
  REQUIRE(ta.core->run_on_thread_stack(store_address, &address_on_thread_stack, error) == TA_OK);
  distance = address_on_thread_stack - &local;
  REQUIRE(distance > 64 * 1024 || distance < -64 * 1024);
  return TA_OK;
}

PROGRAM(call_on_thread_stack) {
  ta_coroutine* coroutine = start(compare_stacks, NULL);
  (void)argument;
  REQUIRE(coroutine);
  ta_status status = ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, error);
  ta.core->release(coroutine);
  return status;
}
