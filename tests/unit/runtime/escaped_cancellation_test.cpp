// A Cancelled that escapes from whoever was not cancelled itself: a token's is a failure of the coroutine, another's
// passes on; out of main either is a failure of the program.
#include <gtest/gtest.h>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class EscapedCancellation : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(EscapedCancellation);

void let_a_token_escape() {
  auto slow = spawn([] { delay(1h); });
  struct Cancel {
    Task<void>& task;
    ~Cancel() { task.cancel(); }
  } cancel{slow};
  await(slow, timeout(1ms));
}

void let_anothers_cancellation_escape() {
  auto other = spawn([] { delay(1h); });
  yield();
  other.cancel();
  await(other);
}

// CXL-04 AW-03
TEST_P(EscapedCancellation, OfATokenIsTheCoroutinesError) {
  run([] {
    auto task = spawn(&let_a_token_escape);
    EXPECT_THROW(await(task), OperationCancelled);
    EXPECT_TRUE(task.is_finished());
    EXPECT_FALSE(task.is_cancelled());
    EXPECT_FALSE(task.coroutine().is_cancellation_requested());
  });
}

// CXL-03
TEST_P(EscapedCancellation, OfAnotherCoroutinePassesOn) {
  // It could not do without the other, and is no failure of its own.
  run([] {
    auto task = spawn(&let_anothers_cancellation_escape);
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_TRUE(task.is_cancelled());
  });
}

// CXL-03
TEST_P(EscapedCancellation, OfOneThatWasAskedToEndIsItsCancellation) {
  // Whatever kind it is.
  run([] {
    auto own = spawn([] { delay(1h); });
    auto of_a_token = spawn([] {
      current_coroutine().cancel();
      throw OperationCancelled("by hand", nullptr);
    });
    yield();
    own.cancel();
    EXPECT_THROW(await(own), Cancelled);
    EXPECT_THROW(await(of_a_token), Cancelled);
    EXPECT_TRUE(own.is_cancelled());
    EXPECT_TRUE(of_a_token.is_cancelled());
  });
}

// CXL-04
TEST_P(EscapedCancellation, OutOfMainIsThrownByRun) {
  EXPECT_THROW(run(&let_a_token_escape), OperationCancelled);
  EXPECT_THROW(run(&let_anothers_cancellation_escape), Cancelled);
}

// The exit code, and what stands on standard error.
struct End {
  int code;
  std::string text;
};
template <class F>
End end_of(F function) {
  ::testing::internal::CaptureStderr();
  const int code = trueasync::run(function);
  return {code, ::testing::internal::GetCapturedStderr()};
}

// CXL-04
TEST(EscapedCancellationOutOfMain, OfATokenIsReportedAndTheCodeIsOne) {
  const End end = end_of(&let_a_token_escape);
  EXPECT_EQ(end.code, 1);
  EXPECT_NE(end.text.find("OperationCancelled"), std::string::npos) << end.text;
  EXPECT_NE(end.text.find("token"), std::string::npos) << end.text;
}

// CXL-03
TEST(EscapedCancellationOutOfMain, OfAnotherCoroutineIsReportedAndTheCodeIsOne) {
  const End end = end_of(&let_anothers_cancellation_escape);
  EXPECT_EQ(end.code, 1);
  EXPECT_NE(end.text.find("was cancelled"), std::string::npos) << end.text;
}

// SHU-01
TEST(EscapedCancellationOutOfMain, IsSilentWhenTheProgramWasAskedToEnd) {
  const End by_shutdown = end_of([] {
    spawn([] { delay(24h); });
    spawn([] { shut_down(); });
    delay(24h);
  });
  EXPECT_EQ(by_shutdown.code, 0);
  EXPECT_EQ(by_shutdown.text, "");
  const End by_itself = end_of([] {
    current_coroutine().cancel();
    yield();
  });
  EXPECT_EQ(by_itself.code, 0);
  EXPECT_EQ(by_itself.text, "");
}

// SHU-01 AW-03
TEST_P(EscapedCancellation, ThatNobodyAwaitsShutsTheRuntimeDown) {
  EXPECT_THROW(run([] {
                 spawn(&let_a_token_escape);
                 delay(1s);
               }),
               OperationCancelled);
}

// SHU-01
TEST(EscapedCancellationOutOfMain, OfACoroutineNobodyAwaitsIsReportedAndTheCodeIsOne) {
  const End end = end_of([] {
    spawn({.name = "careless"}, &let_a_token_escape);
    delay(1s);
  });
  EXPECT_EQ(end.code, 1);
  EXPECT_NE(end.text.find("OperationCancelled"), std::string::npos) << end.text;
  EXPECT_NE(end.text.find("careless"), std::string::npos) << end.text;
}

// SHU-01
TEST(EscapedCancellationOutOfMain, OfWhatTheShutdownCancelledIsSilentToo) {
  // Main awaits one that the same shutdown cancelled first.
  const End end = end_of([] {
    auto awaited = spawn([] { delay(24h); });
    yield();
    spawn([] { shut_down(); });
    protect([&] { await(awaited); });
  });
  EXPECT_EQ(end.code, 0) << end.text;
  EXPECT_EQ(end.text, "");
}

}  // namespace
}  // namespace trueasync::test
