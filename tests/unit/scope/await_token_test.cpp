// Tokens of a wait: the cause they report, and that they are released once.
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class AwaitTokenTest : public ReactorTest {};

// AW-08 CXL-04
TEST_P(AwaitTokenTest, ErrorIsNeverItsOwnCause) {
  run([] {
    const auto reason = std::make_exception_ptr(std::runtime_error("the token's own error"));
    Promise<int> never;
    Promise<void> token;
    token.fail(reason);
    Future<void> fired = token.future();
    std::exception_ptr caught;
    try {
      await(never.future(), fired.event());
    } catch (const OperationCancelled& cancelled) {
      caught = std::current_exception();
      EXPECT_EQ(cancelled.cause(), reason);
    }
    ASSERT_TRUE(caught);
    EXPECT_NE(caught, reason);
    fired.ignore();

    // The error of the first wait is the token of a second wait: it is the cause there, without a cycle.
    Promise<void> second;
    second.fail(caught);
    Future<void> fired_second = second.future();
    try {
      await(never.future(), fired_second.event());
      ADD_FAILURE() << "the token was ignored";
    } catch (const OperationCancelled& cancelled) {
      EXPECT_EQ(cancelled.cause(), caught);
      EXPECT_NE(std::current_exception(), caught);
    }
    fired_second.ignore();
  });
}

// AW-09 TM-03
TEST_P(AwaitTokenTest, TimeoutIsReleasedOnceOnEveryExit) {
  run([] {
    Promise<int> never;
    const Timeout expired(1ms);
    EXPECT_THROW(await(never.future(), expired), OperationCancelled);
    EXPECT_EQ(expired.event().references(), 1u);
    EXPECT_FALSE(expired.event().is_active());

    const Timeout pending(1h);
    auto task = spawn([&] { await(never.future(), pending); });
    yield();
    EXPECT_TRUE(pending.event().is_active());
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(pending.event().references(), 1u);
    EXPECT_FALSE(pending.event().is_active());

    const Timeout unused(1h);
    EXPECT_EQ(await(Future<int>::completed(7), unused), 7);
    EXPECT_EQ(unused.event().references(), 1u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(AwaitTokenTest);

}  // namespace
}  // namespace trueasync::test
