// C programs that need a real loop, and C programs that make their own.
#include "fixture.hpp"

namespace trueasync::test {
namespace {

using CReactor = CProgramOutside;
using CIo = CProgramOutside;
using CThreads = CProgramOutside;

TEST_F(CReactor, PollsDescriptors) {
  // ABI-01 REA-02 IO-18
  EXPECT_TRUE(succeeds(poll_descriptors));
}
TEST_F(CReactor, IsTriggeredByAnotherThread) {
  // ABI-01 REA-02
  EXPECT_TRUE(succeeds(a_trigger_from_another_thread));
}
TEST_F(CReactor, WaitsForSignals) {
  // ABI-01 REA-02
  EXPECT_TRUE(succeeds(signals));
}
TEST_F(CReactor, LooksUpNames) {
  // ABI-01 REA-02
  EXPECT_TRUE(succeeds(lookups));
}
TEST_F(CReactor, WaitsForProcesses) {
  // ABI-01 REA-02
  EXPECT_TRUE(succeeds(process_ends));
}

TEST_F(CIo, ReadsAndWrites) {
  // ABI-01 AIO-01
  EXPECT_TRUE(succeeds(read_and_write));
}
TEST_F(CIo, CloseWakesAReader) {
  // ABI-01 AIO-03 IO-09
  EXPECT_TRUE(succeeds(close_wakes_a_reader));
}
TEST_F(CIo, ConnectsAndAccepts) {
  // ABI-01
  EXPECT_TRUE(succeeds(connect_and_accept));
}
TEST_F(CIo, HasRequests) {
  // ABI-01 AIO-02
  EXPECT_TRUE(succeeds(requests_of_io));
}
TEST_F(CIo, RefusesUnknownFlags) {
  // IO-18
  EXPECT_TRUE(succeeds(unknown_flags_are_refused));
}
TEST_F(CIo, TellsErrno) {
  // ABI-01
  EXPECT_TRUE(succeeds(errors_of_io));
}

TEST_F(CThreads, DoJobs) {
  // ABI-01
  EXPECT_TRUE(succeeds(jobs_on_threads));
}
TEST_F(CThreads, TellFailuresAndCancelJobs) {
  // ABI-01
  EXPECT_TRUE(succeeds(failing_and_cancelled_jobs));
}

TEST(CHost, RunsAMain) {
  // ABI-01
  EXPECT_TRUE(succeeds(run_a_main));
}
TEST(CHost, DrivesARuntimeTurnByTurn) {
  // ABI-01 SWH-02 SHU-03
  EXPECT_TRUE(succeeds(drive_turn_by_turn));
}
TEST(CHost, HearsOfFailuresNobodyAwaits) {
  // ABI-01 AW-03
  EXPECT_TRUE(succeeds(unhandled_failures));
}

}  // namespace
}  // namespace trueasync::test
