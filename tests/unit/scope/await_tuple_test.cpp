// The await functions over tuples of awaitables of different types.
#include "trueasync/scope/await.hpp"
#include "unit/scope/task_helpers.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class AwaitTupleTest : public ReactorTest {};

TEST_P(AwaitTupleTest, AllOrFailReturnsTypedResults) {
  run([] {
    auto number = spawn([] { return delay(2ms), 1; });
    auto text = spawn([] { return std::string("two"); });
    auto nothing = spawn([] {});
    auto [a, b, c] = await_all_or_fail(std::tie(number, text, nothing));
    EXPECT_EQ(a, 1);
    EXPECT_EQ(b, "two");
    EXPECT_EQ(c, std::monostate());
  });
}

TEST_P(AwaitTupleTest, MoveOnlyResultsAreMovedOutOfTemporary) {
  run([] {
    auto [a, b] =
        await_all_or_fail(std::tuple(spawn([] { return std::make_unique<int>(5); }), spawn([] { return 2; })));
    EXPECT_EQ(*a + b, 7);
  });
}

TEST_P(AwaitTupleTest, AllReturnsErrorsWithResults) {
  run([] {
    auto good = spawn([] { return 1; });
    auto bad = spawn([]() -> std::string { throw std::runtime_error("bad"); });
    auto [a, b] = await_all(std::tie(good, bad));
    EXPECT_EQ(a.value(), 1);
    EXPECT_FALSE(b);
    EXPECT_THROW(b.value(), std::runtime_error);
    EXPECT_THROW(await_all_or_fail(std::tie(good, bad)), std::runtime_error);
  });
}

TEST_P(AwaitTupleTest, AnyOrFailReturnsIndexOfFirst) {
  run([] {
    auto slow = spawn([] { return delay(1h), 1; });
    auto quick = spawn([] { return delay(1ms), std::string("quick"); });
    auto first = await_any_or_fail(std::tie(slow, quick), {.pending = PendingAction::cancel});
    ASSERT_EQ(first.index(), 1u);
    EXPECT_EQ(std::get<1>(first), "quick");
    EXPECT_TRUE(slow.coroutine().is_cancellation_requested());
  });
}

TEST_P(AwaitTupleTest, TimeoutCanBeAnElement) {
  run([] {
    auto slow = spawn([] { delay(1h); });
    EXPECT_THROW(await_any_or_fail(std::tuple(slow.coroutine(), timeout(1ms))), TimeoutError);
    slow.cancel();
  });
}

TEST_P(AwaitTupleTest, FirstSuccessSkipsErrors) {
  run([] {
    auto bad = spawn([]() -> int { throw std::runtime_error("bad"); });
    auto good = spawn([] { return delay(1ms), 'x'; });
    auto [result, errors] = await_first_success(std::tie(bad, good));
    ASSERT_TRUE(result);
    EXPECT_EQ(std::get<1>(*result), 'x');
    EXPECT_TRUE(errors.contains(0));
  });
}

TEST_P(AwaitTupleTest, AnyOfLeavesPendingElementsEmpty) {
  run([] {
    auto slow = spawn([] { return delay(1h), 1; });
    auto quick = spawn([] { return 2; });
    auto bad = spawn([]() -> int { throw std::runtime_error("bad"); });
    auto [a, b, c] = await_any_of(1, std::tie(slow, quick, bad));
    EXPECT_FALSE(a);
    EXPECT_EQ(b->value(), 2);
    delay(1ms);
    auto [d, e] = await_any_of_or_fail(1, std::tie(slow, quick));
    EXPECT_FALSE(d);
    EXPECT_EQ(e, 2);
    EXPECT_THROW(await_any_of_or_fail(2, std::tie(slow, quick, bad)), std::runtime_error);
    slow.cancel();
  });
}

TEST_P(AwaitTupleTest, CancelledScopeCountsAsSuccess) {
  run([] {
    Scope scope = Scope::inherit();
    scope.spawn([] { delay(1h); });
    auto task = after(2ms, 1);
    yield();
    scope.cancel();
    EXPECT_EQ(await_any_or_fail(std::tie(scope, task)).index(), 0u);
    const auto first = await_first_success(std::tie(scope, task));
    ASSERT_TRUE(first.result);
    EXPECT_EQ(first.result->index(), 0u);
    EXPECT_TRUE(first.errors.empty());
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(AwaitTupleTest);

}  // namespace
}  // namespace trueasync::test
