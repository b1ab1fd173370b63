// The await family over ranges: what counts, what ends it, who is left alone, which errors are known to somebody.
#include "trueasync/await.hpp"

#include <map>

#include "support/worlds.hpp"
#include "unit/groups/generator.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Await : public OnBothWorlds {};

Task<int> after(std::chrono::milliseconds time, int value) {
  return spawn([=] {
    delay(time);
    return value;
  });
}

Task<int> failing_after(std::chrono::milliseconds time, const char* text = "failed") {
  return spawn([=]() -> int {
    delay(time);
    throw std::runtime_error(text);
  });
}

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    return caught.what();
  } catch (const Cancelled& caught) {
    return caught.what();
  }
}

template <class... T>
std::vector<Task<int>> list(T... tasks) {
  std::vector<Task<int>> all;
  (all.push_back(std::move(tasks)), ...);
  return all;
}

TEST_P(Await, AllGivesResultsAndErrorsByPositionInInputOrder) {
  // AW-14
  run([] {
    auto tasks = list(after(3ms, 30), failing_after(1ms), after(1ms, 10));
    auto [results, errors] = await_all(tasks);
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results.begin()->key, 0u);
    EXPECT_EQ(results.at(0), 30);
    EXPECT_EQ(results.at(2), 10);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(text_of(errors.at(1)), "failed");
    EXPECT_THROW(results.at(1), std::out_of_range);
  });
}

TEST_P(Await, AllGivesCompletionOrderOnRequest) {
  // AW-14
  run([] {
    auto tasks = list(after(3ms, 3), after(1ms, 1), after(2ms, 2));
    EXPECT_EQ(await_all_or_fail(tasks, {.order = ResultOrder::completion}), (std::vector{1, 2, 3}));
    EXPECT_EQ(await_all_or_fail(tasks), (std::vector{3, 1, 2}));
  });
}

TEST_P(Await, AMapGivesResultsByItsKeys) {
  // AW-05
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

TEST_P(Await, ThoseThatHaveFinishedCountAtOnceWithoutASwitch) {
  // AW-01
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

TEST_P(Await, AFinishedOneAmongWaitingOnesIsNotLost) {
  // AW-01 AW-02
  run([] {
    auto tasks = list(after(1h, 1), after(0ms, 2), after(2ms, 3));
    delay(1ms);
    EXPECT_EQ(await_any_or_fail(tasks), 2);
    auto [results, errors] = await_any_of(2, tasks, {.losers = Losers::cancel});
    EXPECT_EQ(results.at(1), 2);
    EXPECT_EQ(results.at(2), 3);
    EXPECT_TRUE(errors.empty());
  });
}

TEST_P(Await, AllOrFailEndsAtTheFirstFailure) {
  run([] {
    auto tasks = list(after(1h, 1), failing_after(1ms, "first"), failing_after(2ms, "second"));
    try {
      await_all_or_fail(tasks, {.losers = Losers::cancel});
      ADD_FAILURE();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "first");
    }
    EXPECT_TRUE(tasks[0].coroutine().is_cancellation_requested());
  });
}

TEST_P(Await, ACancelledOneIsAFailure) {
  run([] {
    auto tasks = list(after(1h, 1), after(1h, 2));
    spawn([&] { tasks[1].cancel(); });
    EXPECT_THROW(await_all_or_fail(tasks), Cancelled);
    EXPECT_FALSE(tasks[0].is_finished());
    tasks[0].cancel();
    auto settled = await_all(tasks);
    EXPECT_EQ(settled.errors.size(), 2u);
    EXPECT_FALSE(await_first_success(tasks).result.has_value());
  });
}

TEST_P(Await, LosersAreLeftRunningUnlessToldOtherwise) {
  run([] {
    auto tasks = list(after(1ms, 1), after(3ms, 2));
    EXPECT_EQ(await_any_or_fail(tasks), 1);
    EXPECT_FALSE(tasks[1].coroutine().is_cancellation_requested());
    EXPECT_EQ(await(tasks[1]), 2);
    auto more = list(after(1ms, 1), after(1h, 2));
    EXPECT_EQ(await_any_or_fail(more, {.losers = Losers::cancel}), 1);
    EXPECT_THROW(await(more[1]), Cancelled);
  });
}

TEST_P(Await, AnyOrFailThrowsWhenTheFirstFailed) {
  run([] {
    auto tasks = list(after(1h, 1), failing_after(1ms));
    EXPECT_THROW(await_any_or_fail(tasks, {.losers = Losers::cancel}), std::runtime_error);
    std::vector<Task<int>> none;
    EXPECT_THROW(await_any_or_fail(none), MisuseError);
  });
}

TEST_P(Await, FirstSuccessPassesOverFailures) {
  // AW-02
  run([] {
    auto tasks = list(failing_after(1ms, "a"), after(3ms, 7), failing_after(2ms, "b"), after(1h, 9));
    auto [result, errors] = await_first_success(tasks, {.losers = Losers::cancel});
    EXPECT_EQ(result, 7);
    EXPECT_EQ(text_of(errors.at(0)), "a");
    EXPECT_EQ(text_of(errors.at(2)), "b");
    auto bad = list(failing_after(1ms), failing_after(2ms));
    auto all_bad = await_first_success(bad);
    EXPECT_FALSE(all_bad.result);
    EXPECT_EQ(all_bad.errors.size(), 2u);
  });
}

TEST_P(Await, AnyOfCountsSuccesses) {
  run([] {
    auto tasks = list(failing_after(1ms), after(2ms, 2), after(4ms, 4), after(1h, 9));
    auto [results, errors] = await_any_of(2, tasks);
    EXPECT_EQ(results.size(), 2u);
    EXPECT_EQ(errors.size(), 1u);
    EXPECT_TRUE(await_any_of(0, tasks).results.empty());
    tasks[3].cancel();
    EXPECT_EQ(await_any_of(100, tasks).results.size(), 2u);
    EXPECT_THROW(await_any_of_or_fail(2, tasks), std::runtime_error);
    auto good = list(after(2ms, 2), after(1ms, 1), after(3ms, 3));
    auto some = await_any_of_or_fail(2, good);
    EXPECT_EQ(some.size(), 2u);
    EXPECT_EQ(some.at(0), 2);
  });
}

TEST_P(Await, ALazyRangeSpawnsWhileItIsIteratedAndOnlyAsFarAsNeeded) {
  // AW-01
  run([this] {
    int made = 0;
    Generator endless([&]() -> std::optional<Task<int>> {
      const int number = made++;
      delay(1ms);  // making one may wait: the first has finished when the third is asked for
      return spawn([number] { return number; });
    });
    EXPECT_EQ(await_any_or_fail(endless), 0);
    EXPECT_LE(made, 2);
    made = 0;
    Generator five([&]() -> std::optional<Task<int>> {
      if (made == 5) return std::nullopt;
      const int number = made++;
      return after(std::chrono::milliseconds(9 - number), number);
    });
    EXPECT_EQ(await_all_or_fail(five), (std::vector{0, 1, 2, 3, 4}));
    EXPECT_EQ(runtime().statistics().alive, 0u);
  });
}

TEST_P(Await, ARangeThatThrowsLeavesNoSubscription) {
  // AW-07 CA-04
  run([] {
    auto kept = after(5ms, 1);
    int made = 0;
    Generator breaks([&]() -> std::optional<Coroutine> {
      if (made++ == 1) throw std::logic_error("no more");
      return kept.coroutine();
    });
    EXPECT_THROW(await_all(breaks), std::logic_error);
    EXPECT_FALSE(kept.event().has_subscribers());
    EXPECT_EQ(await(kept), 1);
  });
}

TEST_P(Await, TheTokenEndsTheWaitAndNothingStaysSubscribed) {
  // CA-03 CA-04 SC-07
  run([] {
    auto tasks = list(after(1h, 1), after(1h, 2));
    try {
      await_all(tasks, {.token = timeout(2ms)});
      ADD_FAILURE();
    } catch (const OperationCancelled& ended) {
      EXPECT_THROW(std::rethrow_exception(ended.cause()), TimeoutError);
    }
    for (auto& task : tasks) {
      EXPECT_FALSE(task.event().has_subscribers());
      EXPECT_FALSE(task.coroutine().is_cancellation_requested());
    }
    EXPECT_THROW(await_all(tasks, {.token = timeout(1ms), .losers = Losers::cancel}), OperationCancelled);
    for (auto& task : tasks) EXPECT_TRUE(task.coroutine().is_cancellation_requested());
    // A token that has fired long ago does not matter when nothing has to be waited for.
    delay(1ms);
    EXPECT_EQ(await_all(tasks, {.token = timeout(0ms)}).errors.size(), 2u);
  });
}

TEST_P(Await, ACancelledWaiterLeavesNothingSubscribed) {
  // CA-04
  run([] {
    auto tasks = list(after(1h, 1), after(1h, 2));
    auto waiter = spawn([&] { await_all(tasks, {.losers = Losers::cancel}); });
    yield();
    waiter.cancel();
    EXPECT_THROW(await(waiter), Cancelled);
    for (auto& task : tasks) {
      EXPECT_FALSE(task.event().has_subscribers());
      EXPECT_TRUE(task.coroutine().is_cancellation_requested());
    }
  });
}

TEST_P(Await, AnErrorThatWasDeliveredIsObserved) {
  // AW-03
  run([] { EXPECT_EQ(await_all(list(failing_after(1ms), after(2ms, 1))).errors.size(), 1u); });
}

TEST_P(Await, AnErrorThatWasNotDeliveredIsUnhandled) {
  // AW-03
  int unhandled = 0;
  RuntimeOptions options;
  options.on_unhandled = [&](const Coroutine&, std::exception_ptr) { return ++unhandled, true; };
  run([] { EXPECT_EQ(await_any_or_fail(list(after(1ms, 1), failing_after(2ms))), 1); }, std::move(options));
  EXPECT_EQ(unhandled, 1);
}

TEST_P(Await, MoveOnlyResultsComeOutOfAContainerThatIsGivenAway) {
  run([] {
    std::vector<Task<std::unique_ptr<int>>> tasks;
    for (int i = 0; i < 3; ++i) tasks.push_back(spawn([i] { return std::make_unique<int>(i); }));
    auto values = await_all_or_fail(std::move(tasks));
    ASSERT_EQ(values.size(), 3u);
    EXPECT_EQ(*values[2], 2);
  });
}

TEST_P(Await, TheSameTaskMayStandInItTwice) {
  // R3 AW-06
  run([] {
    auto task = after(1ms, 5);
    std::vector<Coroutine> both{task.coroutine(), task.coroutine()};
    await_all_or_fail(both);
    EXPECT_EQ(await_all(both).results.size(), 2u);
    auto other = spawn([&] { return await(task); });
    EXPECT_EQ(await(other), 5);
  });
}

TEST_P(Await, WhatCantBeAwaitedIsAClearError) {
  run([] {
    std::vector<Coroutine> self{current()};
    EXPECT_THROW(await_all(self), MisuseError);
    std::vector<Task<int>> empty(1);
    EXPECT_THROW(await_all(empty), MisuseError);
  });
}

TEST_P(Await, EventsOfAnyKindStandTogether) {
  // AW-02
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

TEST_P(Await, TheDeadlockReportKnowsWhoIsAwaited) {
  run([] {
    auto stuck = spawn({.name = "stuck"}, [] { await_all(std::vector{current()}); });
    EXPECT_THROW(await(stuck), MisuseError);
    Coroutine main = current();
    auto circle = spawn({.name = "circle"}, [main] { await_all(std::vector{main}); });
    try {
      await_all(std::vector{circle.coroutine()});
      ADD_FAILURE();
    } catch (const DeadlockError& error) {
      EXPECT_NE(std::string(error.what()).find("1 of 1 awaited: coroutine"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("→"), std::string::npos) << error.what();
    }
    circle.cancel();
  });
}

TRUEASYNC_ON_BOTH_WORLDS(Await);

}  // namespace
}  // namespace trueasync::test
