// The await functions over ranges: results and when a wait ends.
#include "trueasync/scope/await.hpp"

#include <map>

#include "unit/scope/generator.hpp"
#include "unit/scope/task_helpers.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class AwaitTest : public ReactorTest {};

// AW-14
TEST_P(AwaitTest, AllReturnsResultsAndErrorsByIndex) {
  run([] {
    auto tasks = list(after(3ms, 30), failing_after(1ms), after(1ms, 10));
    auto [results, errors] = await_all(tasks);
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results.begin()->key, 0u);
    EXPECT_EQ(results.at(0), 30);
    EXPECT_EQ(results.at(2), 10);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(error_text(errors.at(1)), "failed");
    EXPECT_THROW(results.at(1), std::out_of_range);
  });
}

// AW-14
TEST_P(AwaitTest, AllReturnsCompletionOrderOnRequest) {
  run([] {
    auto tasks = list(after(3ms, 3), after(1ms, 1), after(2ms, 2));
    EXPECT_EQ(await_all_or_fail(tasks, {.order = ResultOrder::completion}), (std::vector{1, 2, 3}));
    EXPECT_EQ(await_all_or_fail(tasks), (std::vector{3, 1, 2}));
  });
}

// AW-05
TEST_P(AwaitTest, MapReturnsResultsByKey) {
  run([] {
    std::map<std::string, Task<int>> tasks;
    tasks.emplace("one", after(2ms, 1));
    tasks.emplace("two", after(1ms, 2));
    auto results = await_all_or_fail(tasks);
    EXPECT_EQ(results.at("one"), 1);
    EXPECT_EQ(results.at("two"), 2);
    tasks.emplace("bad", failing_after(1ms));
    auto settled = await_all(std::move(tasks));
    EXPECT_EQ(settled.results.size(), 2u);
    EXPECT_TRUE(settled.errors.contains("bad"));
  });
}

// AW-01
TEST_P(AwaitTest, FinishedTasksNeedNoSwitch) {
  run([this] {
    auto tasks = list(after(0ms, 1), failing_after(0ms), after(0ms, 3));
    delay(1ms);
    const auto before = runtime().statistics();
    auto settled = await_all(tasks);
    EXPECT_EQ(settled.results.size(), 2u);
    EXPECT_EQ(settled.errors.size(), 1u);
    EXPECT_EQ(await_any_or_fail(tasks), 1);
    EXPECT_EQ(await_any_of(2, tasks).results.size(), 2u);
    EXPECT_EQ(runtime().statistics().switches, before.switches);
  });
}

// AW-01 AW-02
TEST_P(AwaitTest, FinishedTaskAmongPendingTasksCounts) {
  run([] {
    auto tasks = list(after(1h, 1), after(0ms, 2), after(2ms, 3));
    delay(1ms);
    EXPECT_EQ(await_any_or_fail(tasks), 2);
    auto [results, errors] = await_any_of(2, tasks, {.pending = PendingAction::cancel});
    EXPECT_EQ(results.at(1), 2);
    EXPECT_EQ(results.at(2), 3);
    EXPECT_TRUE(errors.empty());
  });
}

TEST_P(AwaitTest, AnyOrFailThrowsFirstError) {
  run([] {
    auto tasks = list(after(1h, 1), failing_after(1ms));
    EXPECT_THROW(await_any_or_fail(tasks, {.pending = PendingAction::cancel}), std::runtime_error);
    std::vector<Task<int>> none;
    EXPECT_THROW(await_any_or_fail(none), MisuseError);
  });
}

// AW-02
TEST_P(AwaitTest, FirstSuccessSkipsErrors) {
  run([] {
    auto tasks = list(failing_after(1ms, "a"), after(3ms, 7), failing_after(2ms, "b"), after(1h, 9));
    auto [result, errors] = await_first_success(tasks, {.pending = PendingAction::cancel});
    EXPECT_EQ(result, 7);
    EXPECT_EQ(error_text(errors.at(0)), "a");
    EXPECT_EQ(error_text(errors.at(2)), "b");
    auto failing = list(failing_after(1ms), failing_after(2ms));
    auto all_failed = await_first_success(failing);
    EXPECT_FALSE(all_failed.result);
    EXPECT_EQ(all_failed.errors.size(), 2u);
  });
}

TEST_P(AwaitTest, AnyOfCountsSuccesses) {
  run([] {
    auto tasks = list(failing_after(1ms), after(2ms, 2), after(4ms, 4), after(1h, 9));
    auto [results, errors] = await_any_of(2, tasks);
    EXPECT_EQ(results.size(), 2u);
    EXPECT_EQ(errors.size(), 1u);
    EXPECT_TRUE(await_any_of(0, tasks).results.empty());
    tasks[3].cancel();
    EXPECT_EQ(await_any_of(100, tasks).results.size(), 2u);
    EXPECT_THROW(await_any_of_or_fail(2, tasks), std::runtime_error);
    auto succeeding = list(after(2ms, 2), after(1ms, 1), after(3ms, 3));
    auto some = await_any_of_or_fail(2, succeeding);
    EXPECT_EQ(some.size(), 2u);
    EXPECT_EQ(some.at(0), 2);
  });
}

// AW-01
TEST_P(AwaitTest, LazyRangeIsAdvancedOnlyAsFarAsNeeded) {
  run([this] {
    int created = 0;
    Generator endless([&]() -> std::optional<Task<int>> {
      const int index = created++;
      delay(1ms);  // the first task has finished when the third is requested
      return spawn([index] { return index; });
    });
    EXPECT_EQ(await_any_or_fail(endless), 0);
    EXPECT_LE(created, 2);
    created = 0;
    Generator five([&]() -> std::optional<Task<int>> {
      if (created == 5) return std::nullopt;
      const int index = created++;
      return after(std::chrono::milliseconds(9 - index), index);
    });
    EXPECT_EQ(await_all_or_fail(five), (std::vector{0, 1, 2, 3, 4}));
    EXPECT_EQ(runtime().statistics().alive, 0u);
  });
}

TEST_P(AwaitTest, MoveOnlyResultsAreMovedOutOfTemporary) {
  run([] {
    std::vector<Task<std::unique_ptr<int>>> tasks;
    for (int i = 0; i < 3; ++i) tasks.push_back(spawn([i] { return std::make_unique<int>(i); }));
    auto values = await_all_or_fail(std::move(tasks));
    ASSERT_EQ(values.size(), 3u);
    EXPECT_EQ(*values[2], 2);
  });
}

// R3 AW-06
TEST_P(AwaitTest, SameTaskMayOccurTwice) {
  run([] {
    auto task = after(1ms, 5);
    std::vector<Coroutine> both{task.coroutine(), task.coroutine()};
    await_all_or_fail(both);
    EXPECT_EQ(await_all(both).results.size(), 2u);
    auto other = spawn([&] { return await(task); });
    EXPECT_EQ(await(other), 5);
  });
}

// AW-02
TEST_P(AwaitTest, MixedEventsCanBeAwaited) {
  run([] {
    Trigger trigger;
    auto task = after(1h, 1);
    Timeout soon(2ms);
    Event* events[] = {&task.event(), &trigger.event(), &soon.event()};
    EXPECT_THROW(await_any_or_fail(events), TimeoutError);
    trigger.fire();
    Event* two[] = {&task.event(), &trigger.event()};
    await_any_or_fail(two);
    task.cancel();
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(AwaitTest);

}  // namespace
}  // namespace trueasync::test
