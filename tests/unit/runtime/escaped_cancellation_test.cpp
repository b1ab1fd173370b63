// A Cancelled that escapes from a coroutine that was not cancelled itself. If a token threw it, the coroutine fails. If
// an awaited coroutine was cancelled, the coroutine counts as cancelled. If it escapes from main, the program fails.
#include <gtest/gtest.h>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class EscapedCancellation : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(EscapedCancellation);

void throw_from_token() {
  auto slow = spawn([] { delay(1h); });
  struct CancelGuard {
    Task<void>& task;
    ~CancelGuard() { task.cancel(); }
  } guard{slow};
  await(slow, timeout(1ms));
}

void throw_from_awaited_task() {
  auto other = spawn([] { delay(1h); });
  yield();
  other.cancel();
  await(other);
}

// CXL-04 AW-03
TEST_P(EscapedCancellation, OfTokenFailsCoroutine) {
  run([] {
    auto task = spawn(&throw_from_token);
    EXPECT_THROW(await(task), OperationCancelled);
    EXPECT_TRUE(task.is_finished());
    EXPECT_FALSE(task.is_cancelled());
    EXPECT_FALSE(task.coroutine().is_cancellation_requested());
  });
}

// CXL-03
TEST_P(EscapedCancellation, OfAwaitedTaskCancelsCoroutine) {
  run([] {
    auto task = spawn(&throw_from_awaited_task);
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_TRUE(task.is_cancelled());
  });
}

// CXL-03
TEST_P(EscapedCancellation, OfCancelledCoroutineIsItsCancellation) {
  // For every type of cancellation exception.
  run([] {
    auto by_request = spawn([] { delay(1h); });
    auto by_exception = spawn([] {
      current_coroutine().cancel();
      throw OperationCancelled("thrown by the test", nullptr);
    });
    yield();
    by_request.cancel();
    EXPECT_THROW(await(by_request), Cancelled);
    EXPECT_THROW(await(by_exception), Cancelled);
    EXPECT_TRUE(by_request.is_cancelled());
    EXPECT_TRUE(by_exception.is_cancelled());
  });
}

// CXL-04
TEST_P(EscapedCancellation, FromMainIsThrownByRun) {
  EXPECT_THROW(run(&throw_from_token), OperationCancelled);
  EXPECT_THROW(run(&throw_from_awaited_task), Cancelled);
}

// The exit code and the standard error of a program.
struct ProgramResult {
  int code;
  std::string text;
};
template <class F>
ProgramResult run_program(F function) {
  ::testing::internal::CaptureStderr();
  const int code = trueasync::run(function);
  return {code, ::testing::internal::GetCapturedStderr()};
}

// CXL-04
TEST(EscapedCancellationFromMain, OfTokenIsReportedWithExitCodeOne) {
  const ProgramResult result = run_program(&throw_from_token);
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.text.find("OperationCancelled"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("token"), std::string::npos) << result.text;
}

// CXL-03
TEST(EscapedCancellationFromMain, OfAwaitedTaskIsReportedWithExitCodeOne) {
  const ProgramResult result = run_program(&throw_from_awaited_task);
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.text.find("was cancelled"), std::string::npos) << result.text;
}

// SHU-01
TEST(EscapedCancellationFromMain, IsNotReportedAfterShutdownRequest) {
  const ProgramResult by_shutdown = run_program([] {
    spawn([] { delay(24h); });
    spawn([] { shut_down(); });
    delay(24h);
  });
  EXPECT_EQ(by_shutdown.code, 0);
  EXPECT_EQ(by_shutdown.text, "");
  const ProgramResult by_cancel = run_program([] {
    current_coroutine().cancel();
    yield();
  });
  EXPECT_EQ(by_cancel.code, 0);
  EXPECT_EQ(by_cancel.text, "");
}

// SHU-01 AW-03
TEST_P(EscapedCancellation, OfUnobservedCoroutineShutsRuntimeDown) {
  EXPECT_THROW(run([] {
                 spawn(&throw_from_token);
                 delay(1s);
               }),
               OperationCancelled);
}

// SHU-01
TEST(EscapedCancellationFromMain, OfUnobservedCoroutineIsReportedWithExitCodeOne) {
  const ProgramResult result = run_program([] {
    spawn({.name = "failing"}, &throw_from_token);
    delay(1s);
  });
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.text.find("OperationCancelled"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("failing"), std::string::npos) << result.text;
}

// SHU-01
TEST(EscapedCancellationFromMain, OfTaskCancelledByShutdownIsNotReported) {
  // Main awaits a task that the same shutdown has cancelled.
  const ProgramResult result = run_program([] {
    auto awaited = spawn([] { delay(24h); });
    yield();
    spawn([] { shut_down(); });
    protect([&] { await(awaited); });
  });
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_EQ(result.text, "");
}

}  // namespace
}  // namespace trueasync::test
