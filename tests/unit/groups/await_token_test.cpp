// Tokens of a wait: what they say as a cause, and that they are let go exactly once.
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class AwaitToken : public ReactorTest {};

TEST_P(AwaitToken, AnErrorIsNeverItsOwnCause) {
  // AW-08 CXL-04
  run([] {
    const auto reason = std::make_exception_ptr(std::runtime_error("the token's own error"));
    Promise<int> never;
    Promise<void> token;
    token.fail(reason);
    Future<void> fired = token.future();
    std::exception_ptr met;
    try {
      await(never.future(), fired.event());
    } catch (const OperationCancelled& cancelled) {
      met = std::current_exception();
      EXPECT_EQ(cancelled.cause(), reason);
    }
    ASSERT_TRUE(met);
    EXPECT_NE(met, reason);
    fired.ignore();

    // What ended a wait may be the token of another: each has the one before as its cause, no ring.
    Promise<void> second;
    second.fail(met);
    Future<void> fired_second = second.future();
    try {
      await(never.future(), fired_second.event());
      ADD_FAILURE() << "the token was ignored";
    } catch (const OperationCancelled& cancelled) {
      EXPECT_EQ(cancelled.cause(), met);
      EXPECT_NE(std::current_exception(), met);
    }
    fired_second.ignore();
  });
}

TEST_P(AwaitToken, ATimeoutIsLetGoOnceHoweverItsWaitEnds) {
  // AW-09 TM-03
  run([] {
    Promise<int> never;
    const Timeout passed(1ms);
    EXPECT_THROW(await(never.future(), passed), OperationCancelled);
    EXPECT_EQ(passed.event().references(), 1u);
    EXPECT_FALSE(passed.event().is_active());

    const Timeout lost(1h);
    auto task = spawn([&] { await(never.future(), lost); });
    yield();
    EXPECT_TRUE(lost.event().is_active());
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(lost.event().references(), 1u);
    EXPECT_FALSE(lost.event().is_active());

    const Timeout unused(1h);
    EXPECT_EQ(await(Future<int>::completed(7), unused), 7);
    EXPECT_EQ(unused.event().references(), 1u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(AwaitToken);

}  // namespace
}  // namespace trueasync::test
