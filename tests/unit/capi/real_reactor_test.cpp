// C programs that need a real reactor, and C programs that create their own runtime.
#include "fixture.hpp"

namespace trueasync::test {
namespace {

using CReactorTest = CProgramOnRealReactor;
using CIoTest = CProgramOnRealReactor;
using CThreadPoolTest = CProgramOnRealReactor;

// ABI-01 REA-02 IO-18
TEST_F(CReactorTest, PollReportsReadiness) { EXPECT_TRUE(succeeds(poll_descriptors)); }
// ABI-01 REA-02
TEST_F(CReactorTest, TriggerFiresFromAnotherThread) { EXPECT_TRUE(succeeds(trigger_from_another_thread)); }
// ABI-01 REA-02
TEST_F(CReactorTest, SignalEventFires) { EXPECT_TRUE(succeeds(signals)); }
// ABI-01 REA-02
TEST_F(CReactorTest, LookupsReturnAddresses) { EXPECT_TRUE(succeeds(lookups)); }
// ABI-01 REA-02
TEST_F(CReactorTest, ProcessEventReportsExitStatus) { EXPECT_TRUE(succeeds(process_ends)); }

// ABI-01 AIO-01
TEST_F(CIoTest, ReadsAndWrites) { EXPECT_TRUE(succeeds(read_and_write)); }
// ABI-01 AIO-03 IO-09
TEST_F(CIoTest, CloseWakesReader) { EXPECT_TRUE(succeeds(close_wakes_reader)); }
// ABI-01
TEST_F(CIoTest, ConnectsAndAccepts) { EXPECT_TRUE(succeeds(connect_and_accept)); }
// ABI-01 AIO-02
TEST_F(CIoTest, RequestsComplete) { EXPECT_TRUE(succeeds(io_requests)); }
// IO-18
TEST_F(CIoTest, UnknownFlagsAreMisuse) { EXPECT_TRUE(succeeds(unknown_flags_are_misuse)); }
// ABI-01
TEST_F(CIoTest, ErrorsContainErrno) { EXPECT_TRUE(succeeds(io_errors)); }

// ABI-01
TEST_F(CThreadPoolTest, JobsRunOnWorkers) { EXPECT_TRUE(succeeds(jobs_run_on_workers)); }
// ABI-01
TEST_F(CThreadPoolTest, FailedAndCancelledJobsReportStatus) { EXPECT_TRUE(succeeds(failing_and_cancelled_jobs)); }

// ABI-01
TEST(CRuntime, RunExecutesMainAndRemainingCoroutines) { EXPECT_TRUE(succeeds(run_executes_main)); }
// ABI-01 SWH-02 SHU-03
TEST(CRuntime, RunOnceDrivesRuntime) { EXPECT_TRUE(succeeds(drive_with_run_once)); }
// ABI-01 AW-03
TEST(CRuntime, UnhandledFailuresReachHandler) { EXPECT_TRUE(succeeds(unhandled_failures)); }

}  // namespace
}  // namespace trueasync::test
