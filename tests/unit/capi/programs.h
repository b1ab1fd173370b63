/* The C programs of these tests. Each is a ta_function that the C++ tests run in a coroutine; it must return TA_OK. */
#ifndef TRUEASYNC_TESTS_CAPI_PROGRAMS_H
#define TRUEASYNC_TESTS_CAPI_PROGRAMS_H

#include <trueasync.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The tables, fetched by the test program. */
extern ta_api ta;

enum { CHECK_FAILED = TA_STATUS_USER_BASE + 77 };
/* Ends the program with an error if the condition is false. */
#define REQUIRE(condition)                                                                     \
  do {                                                                                         \
    if (!(condition)) return ta_fail(error, CHECK_FAILED, __LINE__, __FILE__ ": " #condition); \
  } while (0)

#define PROGRAM(name) ta_status name(void* argument, ta_error* error)

/* coroutines.c */
PROGRAM(spawn_and_await);
PROGRAM(failures_keep_code_and_message);
PROGRAM(arguments_are_disposed_of_once);
PROGRAM(cancellation_is_a_status);
PROGRAM(cancellation_before_start);
PROGRAM(await_with_timeout);
PROGRAM(protect_defers_cancellation);
PROGRAM(coroutine_info);
PROGRAM(misuse_reports_reason);
PROGRAM(call_on_thread_stack);

/* switch_hooks.c */
PROGRAM(microtasks_run_before_switch);
PROGRAM(switch_handlers_follow_one_coroutine);

/* events.c */
PROGRAM(user_event_wakes_waiters);
PROGRAM(user_event_starts_and_stops);
PROGRAM(user_event_fails);
PROGRAM(once_event_is_replayed);
PROGRAM(user_event_is_closed);
PROGRAM(before_notify_changes_notification);
PROGRAM(external_event_is_no_deadlock);
PROGRAM(event_without_source_is_deadlock);
PROGRAM(wait_for_any_and_all);
PROGRAM(event_callbacks);
PROGRAM(hooks_must_not_suspend);

/* reactor.c */
PROGRAM(timers);
PROGRAM(poll_descriptors);
PROGRAM(trigger_from_another_thread);
PROGRAM(signals);
PROGRAM(lookups);
PROGRAM(process_ends);

/* io.c */
PROGRAM(read_and_write);
PROGRAM(close_wakes_reader);
PROGRAM(connect_and_accept);
PROGRAM(io_requests);
PROGRAM(unknown_flags_are_misuse);
PROGRAM(io_errors);

/* thread_pool.c */
PROGRAM(jobs_run_on_workers);
PROGRAM(failing_and_cancelled_jobs);

/* pool.c */
PROGRAM(pool_acquire_and_release);
PROGRAM(pool_timeout_and_close);
PROGRAM(pool_rejects_invalid_release);
PROGRAM(pool_hooks_accept_or_reject);
PROGRAM(pool_factory_fails);
PROGRAM(pool_invalid_options);
PROGRAM(pool_breaker_by_hand_and_strategy);
PROGRAM(pool_outlived_by_lease);
PROGRAM(pool_hooks_may_suspend);

/* host.c: run without a runtime and create their own. */
PROGRAM(run_executes_main);
PROGRAM(drive_with_run_once);
PROGRAM(unhandled_failures);

#ifdef __cplusplus
}
#endif

#endif
