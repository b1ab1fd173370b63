// TaskSet: each result is returned once and stays until it is taken.
#include "trueasync/scope/task_group.hpp"

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class TaskSetTest : public ReactorTest {};

int throw_error() { throw std::runtime_error("failed"); }

// SC-12
TEST_P(TaskSetTest, JoinNextReturnsEachResultOnce) {
  run([] {
    TaskSet<std::unique_ptr<int>> set;
    for (int i = 0; i < 3; ++i)
      set.spawn([i] { return delay(std::chrono::milliseconds(6 - 2 * i)), std::make_unique<int>(i); });
    EXPECT_EQ(set.count(), 3u);
    EXPECT_EQ(*set.join_next(), 2);
    EXPECT_EQ(*set.join_next(), 1);
    EXPECT_EQ(set.count(), 1u);
    EXPECT_EQ(*set.join_next(), 0);
    EXPECT_THROW(set.join_next(), MisuseError);
  });
}

// SC-12
TEST_P(TaskSetTest, ResultsStayUntilTaken) {
  run([] {
    TaskSet<int> set;
    for (int i = 0; i < 4; ++i) set.spawn([i] { return i; });
    delay(1ms);
    EXPECT_EQ(set.count(), 4u);
    EXPECT_EQ(set.join_next(), 0);
    auto rest = set.join_all();
    EXPECT_EQ(rest.size(), 3u);
    EXPECT_EQ(rest.at(3), 3);
    EXPECT_EQ(set.count(), 0u);
    EXPECT_TRUE(set.join_all().empty());
  });
}

// SC-12 R1
TEST_P(TaskSetTest, CancelledJoinTakesNothing) {
  run([] {
    TaskSet<int> set;
    Trigger go;
    set.spawn([&] { return go.wait(), 7; });
    auto first = spawn([&] { return set.join_next(); });
    auto second = spawn([&] { return set.join_next(); });
    delay(1ms);
    go.fire();
    spawn([&] { first.cancel(); });
    EXPECT_THROW(set.join_next(timeout(0ms)), OperationCancelled);
    delay(1ms);
    const bool first_took_result = first.is_finished() && !first.is_cancelled();
    EXPECT_EQ(first_took_result ? await(first) : await(second), 7);
    if (first_took_result) {
      EXPECT_THROW(await(second), MisuseError);
    } else {
      EXPECT_THROW(await(first), Cancelled);
    }
  });
}

TEST_P(TaskSetTest, JoinAnySkipsErrorsAndKeepsThem) {
  run([] {
    TaskSet<int> set;
    set.spawn(throw_error);
    set.spawn([] { return delay(1ms), 5; });
    EXPECT_EQ(set.join_any(), 5);
    EXPECT_EQ(set.count(), 1u);
    EXPECT_THROW(set.join_any(), CompositeError);
    EXPECT_EQ(set.count(), 0u);
  });
}

TEST_P(TaskSetTest, JoinAllThrowsErrorsUnlessIgnored) {
  run([] {
    TaskSet<int> set;
    set.spawn(throw_error);
    set.spawn([] { return 1; });
    EXPECT_THROW(set.join_all(), CompositeError);
    EXPECT_EQ(set.count(), 0u);
    set.spawn(throw_error);
    set.spawn([] { return 2; });
    EXPECT_EQ(set.join_all(TaskErrors::ignore).size(), 1u);
  });
}

// SC-11 SC-12
TEST_P(TaskSetTest, IterationTakesResultsUntilSetIsClosedAndEmpty) {
  run([] {
    TaskSet<int> set({.concurrency = 2});
    spawn([&] {
      for (int i = 0; i < 20; ++i) set.spawn([i] { return yield(), i; });
      delay(1ms);  // the set is empty but open: the iteration waits
      set.spawn(throw_error);
      set.close();
    });
    int sum = 0;
    int errors = 0;
    for (auto& [key, result] : set) {
      if (result) {
        sum += result.value();
      } else {
        ++errors;
      }
    }
    EXPECT_EQ(sum, 190);
    EXPECT_EQ(errors, 1);
    EXPECT_EQ(set.count(), 0u);
    EXPECT_FALSE(set.next());
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(TaskSetTest);

}  // namespace
}  // namespace trueasync::test
