/* The C programs of these tests. Each is a ta_function: C++ runs it as a main coroutine, or as any other, and expects TA_OK. */
#ifndef TRUEASYNC_TESTS_CAPI_PROGRAMS_H
#define TRUEASYNC_TESTS_CAPI_PROGRAMS_H

#include <trueasync.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The tables, fetched by the test program. */
extern ta_api ta;

enum { CHECK_FAILED = TA_STATUS_USER_BASE + 77 };
/* Ends a program that finds something else than it expects. */
#define REQUIRE(condition)                                                                     \
  do {                                                                                         \
    if (!(condition)) return ta_fail(error, CHECK_FAILED, __LINE__, __FILE__ ": " #condition); \
  } while (0)

#define PROGRAM(name) ta_status name(void* argument, ta_error* error)

/* coroutines.c */
PROGRAM(spawn_and_await);
PROGRAM(failures_cross_with_code_and_text);
PROGRAM(arguments_are_disposed_of_once);
PROGRAM(cancellation_is_a_status);
PROGRAM(cancellation_before_the_start);
PROGRAM(await_with_a_limit);
PROGRAM(protect_defers_a_cancellation);
PROGRAM(coroutine_information);
PROGRAM(misuse_is_told);
PROGRAM(thread_stack);

/* hooks.c */
PROGRAM(microtasks_run_before_a_switch);
PROGRAM(switch_handlers_follow_one_coroutine);

/* events.c */
PROGRAM(own_event_wakes_its_waiters);
PROGRAM(own_event_starts_and_stops);
PROGRAM(own_event_fails);
PROGRAM(own_event_happens_once);
PROGRAM(own_event_is_closed);
PROGRAM(own_event_changes_what_is_told);
PROGRAM(external_event_is_no_deadlock);
PROGRAM(lonely_event_is_a_deadlock);
PROGRAM(wait_for_any_and_all);
PROGRAM(callbacks_of_events);
PROGRAM(hooks_must_not_suspend);

/* reactor.c */
PROGRAM(timers);
PROGRAM(poll_descriptors);
PROGRAM(a_trigger_from_another_thread);
PROGRAM(signals);
PROGRAM(lookups);
PROGRAM(process_ends);

/* io.c */
PROGRAM(read_and_write);
PROGRAM(close_wakes_a_reader);
PROGRAM(connect_and_accept);
PROGRAM(requests_of_io);
PROGRAM(unknown_flags_are_refused);
PROGRAM(errors_of_io);

/* threads.c */
PROGRAM(jobs_on_threads);
PROGRAM(failing_and_cancelled_jobs);

/* pool.c */
PROGRAM(pool_lends_and_takes_back);
PROGRAM(pool_timeout_and_close);
PROGRAM(pool_refuses_wrong_releases);
PROGRAM(pool_hooks_decide);
PROGRAM(pool_factory_fails);
PROGRAM(pool_bad_options);
PROGRAM(pool_breaker_by_hand_and_strategy);
PROGRAM(pool_outlived_by_a_lease);
PROGRAM(pool_hooks_may_suspend);

/* host.c: these have no runtime around them; they make one. */
PROGRAM(run_a_main);
PROGRAM(drive_turn_by_turn);
PROGRAM(unhandled_failures);

#ifdef __cplusplus
}
#endif

#endif
