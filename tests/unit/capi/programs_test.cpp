// C programs that use coroutines, events, timers and pools. The programs are in the .c files.
#include "fixture.hpp"

ta_api ta = [] {
  ta_api api = TA_OPTIONS(ta_api);
  ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &api, nullptr);
  return api;
}();

namespace trueasync::test {
namespace {

class CCoroutineTest : public CProgram {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CCoroutineTest);

// ABI-01 ABI-02
TEST_P(CCoroutineTest, SpawnAndAwait) { EXPECT_TRUE(succeeds(spawn_and_await)); }
// ABI-01
TEST_P(CCoroutineTest, FailuresKeepCodeAndMessage) { EXPECT_TRUE(succeeds(failures_keep_code_and_message)); }
// ABI-01
TEST_P(CCoroutineTest, ArgumentsAreDisposedOfOnce) { EXPECT_TRUE(succeeds(arguments_are_disposed_of_once)); }
// ABI-01 CXL-01
TEST_P(CCoroutineTest, CancellationIsStickyStatus) { EXPECT_TRUE(succeeds(cancellation_is_a_status)); }
// ABI-01 CXL-01
TEST_P(CCoroutineTest, CoroutineCancelledBeforeStartNeverRuns) { EXPECT_TRUE(succeeds(cancellation_before_start)); }
// ABI-01 IO-21
TEST_P(CCoroutineTest, AwaitEndsAtTimeout) { EXPECT_TRUE(succeeds(await_with_timeout)); }
// ABI-01 CXL-03
TEST_P(CCoroutineTest, ProtectDefersCancellation) { EXPECT_TRUE(succeeds(protect_defers_cancellation)); }
// ABI-01
TEST_P(CCoroutineTest, InfoDescribesCoroutine) { EXPECT_TRUE(succeeds(coroutine_info)); }
// ABI-01
TEST_P(CCoroutineTest, MisuseReportsReason) { EXPECT_TRUE(succeeds(misuse_reports_reason)); }
// ABI-01 ST-09
TEST_P(CCoroutineTest, RunOnThreadStackUsesThreadsStack) { EXPECT_TRUE(succeeds(call_on_thread_stack)); }
// ABI-01 MIC-01 MIC-02
TEST_P(CCoroutineTest, MicrotasksRunBeforeSwitch) { EXPECT_TRUE(succeeds(microtasks_run_before_switch)); }
// ABI-01 SWH-01 SWH-02
TEST_P(CCoroutineTest, SwitchHandlersFollowOneCoroutine) {
  EXPECT_TRUE(succeeds(switch_handlers_follow_one_coroutine));
}

class CEventTest : public CProgram {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CEventTest);

// ABI-02 EVT-01
TEST_P(CEventTest, UserDefinedEventWakesWaiters) { EXPECT_TRUE(succeeds(user_event_wakes_waiters)); }
// ABI-02 EVT-03
TEST_P(CEventTest, FirstWaiterStartsLastWaiterStops) { EXPECT_TRUE(succeeds(user_event_starts_and_stops)); }
// ABI-02
TEST_P(CEventTest, UserDefinedFailureReachesWaiter) { EXPECT_TRUE(succeeds(user_event_fails)); }
// ABI-02 SUS-02
TEST_P(CEventTest, OnceEventIsReplayed) { EXPECT_TRUE(succeeds(once_event_is_replayed)); }
// ABI-02 EVT-04
TEST_P(CEventTest, CloseFailsWaitersWithMessage) { EXPECT_TRUE(succeeds(user_event_is_closed)); }
// ABI-02 EVT-01
TEST_P(CEventTest, BeforeNotifyChangesNotification) { EXPECT_TRUE(succeeds(before_notify_changes_notification)); }
// ABI-02 EVT-05 DLK-02
TEST_P(CEventTest, ExternalEventIsNoDeadlockUnlessBackground) { EXPECT_TRUE(succeeds(external_event_is_no_deadlock)); }
// ABI-02 DLK-01
TEST_P(CEventTest, EventWithoutSourceIsDeadlockWithReport) { EXPECT_TRUE(succeeds(event_without_source_is_deadlock)); }
// ABI-01 SUS-04
TEST_P(CEventTest, WaitManyWaitsForAnyOrAll) { EXPECT_TRUE(succeeds(wait_for_any_and_all)); }
// ABI-01 EVT-02
TEST_P(CEventTest, CallbackMayUnsubscribe) { EXPECT_TRUE(succeeds(event_callbacks)); }
// ABI-02
TEST_P(CEventTest, SuspendingInHookIsMisuse) { EXPECT_TRUE(succeeds(hooks_must_not_suspend)); }
// ABI-01 REA-02
TEST_P(CEventTest, TimersFireOnceOrPeriodically) { EXPECT_TRUE(succeeds(timers)); }

class CPoolTest : public CProgram {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CPoolTest);

// ABI-01 ABI-02 POOL-09
TEST_P(CPoolTest, AcquireAndRelease) { EXPECT_TRUE(succeeds(pool_acquire_and_release)); }
// ABI-01 POOL-08 POOL-09 POOL-10
TEST_P(CPoolTest, TimeoutOverloadAndCloseFailAcquire) { EXPECT_TRUE(succeeds(pool_timeout_and_close)); }
// ABI-01 PO-27
TEST_P(CPoolTest, ExpiredOrForeignLeaseIsMisuseWithoutEffect) { EXPECT_TRUE(succeeds(pool_rejects_invalid_release)); }
// POOL-05 POOL-09
TEST_P(CPoolTest, HooksAcceptOrRejectResources) { EXPECT_TRUE(succeeds(pool_hooks_accept_or_reject)); }
// POOL-09
TEST_P(CPoolTest, StatusOfFactoryReachesCaller) { EXPECT_TRUE(succeeds(pool_factory_fails)); }
// POOL-01 IO-18
TEST_P(CPoolTest, InvalidOptionsAreMisuseAndContextIsDisposed) { EXPECT_TRUE(succeeds(pool_invalid_options)); }
// CB-01 POOL-09
TEST_P(CPoolTest, BreakerChangesByHandOrStrategy) { EXPECT_TRUE(succeeds(pool_breaker_by_hand_and_strategy)); }
// POOL-08 POOL-09
TEST_P(CPoolTest, LeaseOutlivesPool) { EXPECT_TRUE(succeeds(pool_outlived_by_lease)); }
// POOL-09
TEST_P(CPoolTest, HooksMaySuspend) { EXPECT_TRUE(succeeds(pool_hooks_may_suspend)); }

}  // namespace
}  // namespace trueasync::test
