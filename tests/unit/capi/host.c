/* Runtimes created by a C program. */
#include <poll.h>

#include "programs.h"

static ta_status add_one(void* argument, ta_error* error) {
  ta_status status = ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error);
  if (status == TA_OK) ++*(int*)argument;
  return status;
}

static ta_status spawn_three(void* argument, ta_error* error) {
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  options.entry = add_one;
  options.argument = argument;
  for (int i = 0; i < 3; ++i) {
    ta_status status = ta.core->spawn(&options, NULL, TA_HERE, error);
    if (status != TA_OK) return status;
  }
  return TA_OK;
}

static ta_status fail(void* argument, ta_error* error) {
  (void)argument;
  return ta_fail(error, TA_STATUS_USER_BASE, 4, "main has failed");
}

PROGRAM(run_executes_main) {
  int count = 0;
  ta_runtime_options options = TA_OPTIONS(ta_runtime_options);
  (void)argument;
  REQUIRE(ta.core->current() == NULL && ta.core->yield(TA_HERE, NULL) == TA_MISUSE);
  REQUIRE(ta.runtime->run(NULL, spawn_three, &count, TA_HERE, error) == TA_OK);
  REQUIRE(count == 3); /* the coroutines that main left running have finished */
  options.stack_size = 128 * 1024;
  options.flags = TA_RUNTIME_MEASURE_STACKS;
  REQUIRE(ta.runtime->run(&options, fail, NULL, TA_HERE, error) == TA_STATUS_USER_BASE);
  REQUIRE(error->system == 4 && strcmp(error->message, "main has failed") == 0);
  options.flags = 4096;
  REQUIRE(ta.runtime->run(&options, fail, NULL, TA_HERE, error) == TA_MISUSE && strstr(error->message, "4096"));
  REQUIRE(ta.runtime->run(NULL, NULL, NULL, TA_HERE, error) == TA_MISUSE);
  return TA_OK;
}

static bool count_enter(ta_coroutine* coroutine, ta_switch_kind kind, void* argument) {
  (void)coroutine;
  if (kind == TA_SWITCH_ENTER) ++*(int*)argument;
  return false;
}

PROGRAM(drive_with_run_once) {
  ta_runtime* runtime = NULL;
  ta_statistics statistics = TA_OPTIONS(ta_statistics);
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_coroutine* coroutine = NULL;
  int count = 0;
  int entered = 0;
  bool more = false;
  (void)argument;
  REQUIRE(ta.runtime->create(NULL, &runtime, error) == TA_OK);
  REQUIRE(ta.runtime->run_once(runtime, &more, TA_HERE, NULL) == TA_MISUSE);
  REQUIRE(ta.runtime->on_main_start(runtime, count_enter, &entered, error) == TA_OK);
  REQUIRE(ta.runtime->attach(runtime, TA_HERE, error) == TA_OK && entered == 1);
  options.entry = spawn_three;
  options.argument = &count;
  REQUIRE(ta.core->spawn(&options, &coroutine, TA_HERE, error) == TA_OK);
  REQUIRE(ta.runtime->backend_fd(runtime) >= 0);
  while (count < 3) {
    REQUIRE(ta.runtime->run_once(runtime, &more, TA_HERE, error) == TA_OK);
    struct pollfd descriptor = {ta.runtime->backend_fd(runtime), POLLIN, 0};
    int64_t timeout_ns = ta.runtime->next_timeout_ns(runtime);
    if (!more && count < 3) poll(&descriptor, 1, timeout_ns < 0 ? -1 : (int)(timeout_ns / 1000000 + 1));
  }
  REQUIRE(ta.runtime->run_until(runtime, ta.core->event(coroutine), TA_HERE, error) == TA_OK);
  ta.core->release(coroutine);
  REQUIRE(ta.runtime->next_timeout_ns(runtime) == TA_NO_TIMEOUT);
  REQUIRE(ta.runtime->detach(runtime, TA_HERE, error) == TA_OK);
  REQUIRE(ta.runtime->statistics(runtime, &statistics, error) == TA_OK);
  REQUIRE(statistics.spawned == 4 && statistics.finished == 4);
  REQUIRE(statistics.leaked_coroutines + statistics.leaked_stacks + statistics.leaked_timers +
              statistics.leaked_events ==
          0);
  ta.runtime->destroy(runtime);
  ta.runtime->destroy(NULL);
  return TA_OK;
}

struct unhandled {
  int calls;
  bool is_handled;
  char message[64];
};

static bool on_unhandled(void* context, ta_coroutine* coroutine, const ta_error* failure) {
  struct unhandled* unhandled = context;
  (void)coroutine;
  ++unhandled->calls;
  memcpy(unhandled->message, failure->message, sizeof unhandled->message - 1);
  return unhandled->is_handled;
}

static ta_status spawn_and_forget(void* argument, ta_error* error) {
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  (void)argument;
  options.entry = fail;
  if (ta.core->spawn(&options, NULL, TA_HERE, error) != TA_OK) return CHECK_FAILED;
  return ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error);
}

static ta_status shut_down_and_sleep(void* argument, ta_error* error) {
  (void)argument;
  if (ta.core->shut_down(error) != TA_OK) return CHECK_FAILED;
  return ta.core->sleep(TA_SECONDS(3600), TA_HERE, error);
}

PROGRAM(unhandled_failures) {
  struct unhandled unhandled = {0, true, ""};
  ta_runtime_options options = TA_OPTIONS(ta_runtime_options);
  (void)argument;
  options.on_unhandled = on_unhandled;
  options.context = &unhandled;
  REQUIRE(ta.runtime->run(&options, spawn_and_forget, NULL, TA_HERE, error) == TA_OK);
  REQUIRE(unhandled.calls == 1 && strcmp(unhandled.message, "main has failed") == 0);
  /* An unhandled failure shuts the runtime down: main is cancelled and run() returns the failure. */
  unhandled.is_handled = false;
  REQUIRE(ta.runtime->run(&options, spawn_and_forget, NULL, TA_HERE, error) == TA_STATUS_USER_BASE);
  REQUIRE(ta.runtime->run(NULL, spawn_and_forget, NULL, TA_HERE, error) == TA_STATUS_USER_BASE);
  REQUIRE(ta.runtime->run(NULL, shut_down_and_sleep, NULL, TA_HERE, error) == TA_CANCELLED);
  return TA_OK;
}
