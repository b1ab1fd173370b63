// How a task group ends: with its scope, with its runtime, with nobody asking; and whom it tells.
#include "support/abandoned_coroutine.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/task_group.hpp"
#include "trueasync/task_set.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class GroupEnds : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(GroupEnds);

int fails() { throw std::runtime_error("failed"); }

TEST_P(GroupEnds, AGroupWhoseScopeIsCancelledIsClosed) {
  // SC-05 SC-11
  run([] {
    Scope outer = Scope::inherit();
    TaskGroup<int> group({}, outer);
    group.spawn([] { return 1; });
    auto awaits = spawn([&] { group.await_completion(); });
    auto iterates = spawn([&] {
      int count = 0;
      for (auto& entry : group) count += entry.result.value();
      return count;
    });
    int called = 0;
    group.finally([&] { ++called; });
    delay(1ms);
    EXPECT_FALSE(awaits.is_finished());
    outer.cancel();
    EXPECT_TRUE(group.is_closed());
    EXPECT_TRUE(group.is_finished());
    await(awaits);
    EXPECT_EQ(await(iterates), 1);
    delay(1ms);
    EXPECT_EQ(called, 1);
  });
}

TEST_P(GroupEnds, QueuedTasksEndWithTheScopeAtOnce) {
  // SC-11
  run([] {
    Scope outer = Scope::inherit();
    TaskSet<int> set({.concurrency = 1, .queue_limit = 10}, outer);
    for (int i = 0; i < 5; ++i) set.spawn([] { return protect([] { return delay(1ms), 1; }); });
    yield();
    outer.cancel();
    EXPECT_EQ(set.queued(), 0u);
    EXPECT_EQ(set.join_all(TaskErrors::ignore).size(), 0u);
  });
}

TEST_P(GroupEnds, FinallyIsCalledThoughTheSurroundingScopeIsCancelled) {
  // SC-10
  run([] {
    for (const bool before : {false, true}) {
      Scope outer = Scope::inherit();
      int called = 0;
      TaskGroup<int> group({}, outer);
      group.finally([&] {
        delay(1ms);
        ++called;
      });
      if (before) outer.cancel();
      group.close();
      outer.cancel();  // before the handler's coroutine has started
      delay(2ms);
      EXPECT_EQ(called, 1);
    }
  });
}

TEST_P(GroupEnds, AnErrorNobodyWasGivenGoesToTheScopeAboveTheGroup) {
  run([] {
    int heard = 0;
    Scope outer = Scope::inherit();
    outer.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++heard; });
    {
      TaskGroup<int> group({}, outer);
      group.spawn(fails);
      delay(1ms);
    }
    EXPECT_EQ(heard, 1);
  });
}

TEST_P(GroupEnds, AGroupMayOutliveTheRuntime) {
  int called = 0;
  std::optional<TaskGroup<int>> group;
  run([&] {
    group.emplace();
    group->finally([&] { ++called; });
    group->spawn(fails);
    delay(1ms);
  });
  group.reset();
  EXPECT_EQ(called, 1);
}

TEST_P(GroupEnds, TheFirstOfNothingIsAClearError) {
  // SC-13
  run([] {
    TaskGroup<int> group;
    auto race = group.race();
    auto any = group.any();
    group.close();
    EXPECT_THROW(await(race), MisuseError);
    EXPECT_THROW(await(any), MisuseError);
    EXPECT_THROW(await(group.race()), MisuseError);
    EXPECT_TRUE(await(group.all()).empty());
  });
}

TEST_P(GroupEnds, RoomWakesOnlyTheSpawnerThatHasIt) {
  // SC-15 R3
  run([this] {
    constexpr std::uint64_t kSpawners = 300;
    TaskGroup<void> group({.concurrency = 1, .queue_limit = 1});
    for (std::uint64_t i = 0; i < kSpawners; ++i) {
      spawn([&] { group.spawn([] { yield(); }); });
    }
    yield();
    const auto before = runtime().statistics();
    while (group.count() < kSpawners || group.running() != 0) yield();
    const auto after = runtime().statistics();
    const auto runs = [](const Statistics& s) { return s.switches + s.started_without_switch + s.resumed_in_place; };
    EXPECT_LT(runs(after) - runs(before), 20 * kSpawners);
  });
}

TEST_P(GroupEnds, ATaskThatWasGivenUpIsNotWaitedFor) {
  // SHU-02 SHU-03
  ScopedLeakCheckDisable forgiven;
  auto runtime = make_runtime(GetParam());
  runtime->run([&] {
    TaskGroup<void> group;
    group.spawn(&ignore_cancellation_forever);
    yield();
    shut_down();
  });
  EXPECT_EQ(runtime->leak_report().coroutines, 1u);
}

}  // namespace
}  // namespace trueasync::test
