// C programs on the C interface: coroutines, events, timers, pools. What they do is in the .c files.
#include "fixture.hpp"

ta_api ta = [] {
  ta_api api = TA_OPTIONS(ta_api);
  ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &api, nullptr);
  return api;
}();

namespace trueasync::test {
namespace {

class CCoroutines : public CProgram {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CCoroutines);

TEST_P(CCoroutines, RunAndAreAwaited) {
  // ABI-01 ABI-02
  EXPECT_TRUE(succeeds(spawn_and_await));
}
TEST_P(CCoroutines, FailuresCrossWithCodeAndText) {
  // ABI-01
  EXPECT_TRUE(succeeds(failures_cross_with_code_and_text));
}
TEST_P(CCoroutines, ArgumentsAreDisposedOfOnceWhateverHappens) {
  // ABI-01
  EXPECT_TRUE(succeeds(arguments_are_disposed_of_once));
}
TEST_P(CCoroutines, CancellationIsAStickyStatus) {
  // ABI-01 CXL-01
  EXPECT_TRUE(succeeds(cancellation_is_a_status));
}
TEST_P(CCoroutines, CancelledBeforeTheirStartNeverRun) {
  // ABI-01 CXL-01
  EXPECT_TRUE(succeeds(cancellation_before_the_start));
}
TEST_P(CCoroutines, AwaitEndsAtItsLimit) {
  // ABI-01 IO-21
  EXPECT_TRUE(succeeds(await_with_a_limit));
}
TEST_P(CCoroutines, ProtectDefersACancellation) {
  // ABI-01 CXL-03
  EXPECT_TRUE(succeeds(protect_defers_a_cancellation));
}
TEST_P(CCoroutines, TellAboutThemselves) {
  // ABI-01
  EXPECT_TRUE(succeeds(coroutine_information));
}
TEST_P(CCoroutines, MisuseIsAStatusThatSaysWhatIsWrong) {
  // ABI-01
  EXPECT_TRUE(succeeds(misuse_is_told));
}
TEST_P(CCoroutines, CanCallOnTheThreadsStack) {
  // ABI-01 ST-09
  EXPECT_TRUE(succeeds(thread_stack));
}
TEST_P(CCoroutines, MicrotasksRunBeforeASwitch) {
  // ABI-01 MIC-01 MIC-02
  EXPECT_TRUE(succeeds(microtasks_run_before_a_switch));
}
TEST_P(CCoroutines, SwitchHandlersFollowOneOfThem) {
  // ABI-01 SWH-01 SWH-02
  EXPECT_TRUE(succeeds(switch_handlers_follow_one_coroutine));
}

class CEvents : public CProgram {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CEvents);

TEST_P(CEvents, OfOnesOwnWakeTheirWaiters) {
  // ABI-02 EVT-01
  EXPECT_TRUE(succeeds(own_event_wakes_its_waiters));
}
TEST_P(CEvents, AreStartedByTheFirstWaiterAndStoppedByTheLast) {
  // ABI-02 EVT-03
  EXPECT_TRUE(succeeds(own_event_starts_and_stops));
}
TEST_P(CEvents, FailWithTheirOwnCode) {
  // ABI-02
  EXPECT_TRUE(succeeds(own_event_fails));
}
TEST_P(CEvents, ThatHappenOnceAreReplayed) {
  // ABI-02 SUS-02
  EXPECT_TRUE(succeeds(own_event_happens_once));
}
TEST_P(CEvents, AreClosedWithAText) {
  // ABI-02 EVT-04
  EXPECT_TRUE(succeeds(own_event_is_closed));
}
TEST_P(CEvents, ChangeWhatIsToldBeforeItIs) {
  // ABI-02 EVT-01
  EXPECT_TRUE(succeeds(own_event_changes_what_is_told));
}
TEST_P(CEvents, FromOutsideAreNoDeadlockUnlessHidden) {
  // ABI-02 EVT-05 DLK-02
  EXPECT_TRUE(succeeds(external_event_is_no_deadlock));
}
TEST_P(CEvents, ThatNobodyCanFireAreADeadlockWithAReport) {
  // ABI-02 DLK-01
  EXPECT_TRUE(succeeds(lonely_event_is_a_deadlock));
}
TEST_P(CEvents, AreWaitedForInAnyNumber) {
  // ABI-01 SUS-04
  EXPECT_TRUE(succeeds(wait_for_any_and_all));
}
TEST_P(CEvents, CallCallbacksThatMayLeave) {
  // ABI-01 EVT-02
  EXPECT_TRUE(succeeds(callbacks_of_events));
}
TEST_P(CEvents, HooksMustNotSuspend) {
  // ABI-02
  EXPECT_TRUE(succeeds(hooks_must_not_suspend));
}
TEST_P(CEvents, AreTimersToo) {
  // ABI-01 REA-02
  EXPECT_TRUE(succeeds(timers));
}

class CPools : public CProgram {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CPools);

TEST_P(CPools, LendAndTakeBack) {
  // ABI-01 ABI-02 POOL-09
  EXPECT_TRUE(succeeds(pool_lends_and_takes_back));
}
TEST_P(CPools, TimeOutOverflowAndClose) {
  // ABI-01 POOL-08 POOL-09 POOL-10
  EXPECT_TRUE(succeeds(pool_timeout_and_close));
}
TEST_P(CPools, RefuseALeaseThatIsOverOrAnothersAndChangeNothing) {
  // ABI-01 PO-27
  EXPECT_TRUE(succeeds(pool_refuses_wrong_releases));
}
TEST_P(CPools, AskTheirHooks) {
  // POOL-05 POOL-09
  EXPECT_TRUE(succeeds(pool_hooks_decide));
}
TEST_P(CPools, PassOnWhatTheFactoryFailedWith) {
  // POOL-09
  EXPECT_TRUE(succeeds(pool_factory_fails));
}
TEST_P(CPools, RefuseBadOptionsAndDisposeOfTheContext) {
  // POOL-01 IO-18
  EXPECT_TRUE(succeeds(pool_bad_options));
}
TEST_P(CPools, HaveABreakerForAHandOrAStrategy) {
  // CB-01 POOL-09
  EXPECT_TRUE(succeeds(pool_breaker_by_hand_and_strategy));
}
TEST_P(CPools, MayGoBeforeTheirLastLease) {
  // POOL-08 POOL-09
  EXPECT_TRUE(succeeds(pool_outlived_by_a_lease));
}
TEST_P(CPools, HooksMaySuspend) {
  // POOL-09
  EXPECT_TRUE(succeeds(pool_hooks_may_suspend));
}

}  // namespace
}  // namespace trueasync::test
