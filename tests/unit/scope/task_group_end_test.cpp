// The end of a task group: by its scope, by its destructor or by the runtime.
#include "support/abandoned_coroutine.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/scope/task_group.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class TaskGroupEndTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(TaskGroupEndTest);

int throw_error() { throw std::runtime_error("failed"); }

// SC-05 SC-11
TEST_P(TaskGroupEndTest, CancelOfParentScopeClosesGroup) {
  run([] {
    Scope outer = Scope::inherit();
    TaskGroup<int> group({}, outer);
    group.spawn([] { return 1; });
    auto awaiting = spawn([&] { group.await_completion(); });
    auto iterating = spawn([&] {
      int count = 0;
      for (auto& entry : group) count += entry.result.value();
      return count;
    });
    int called = 0;
    group.finally([&] { ++called; });
    delay(1ms);
    EXPECT_FALSE(awaiting.is_finished());
    outer.cancel();
    EXPECT_TRUE(group.is_closed());
    EXPECT_TRUE(group.is_finished());
    await(awaiting);
    EXPECT_EQ(await(iterating), 1);
    delay(1ms);
    EXPECT_EQ(called, 1);
  });
}

// SC-11
TEST_P(TaskGroupEndTest, CancelOfParentScopeDropsQueuedTasks) {
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

// SC-10
TEST_P(TaskGroupEndTest, FinallyRunsThoughParentScopeIsCancelled) {
  run([] {
    for (const bool cancel_before_close : {false, true}) {
      Scope outer = Scope::inherit();
      int called = 0;
      TaskGroup<int> group({}, outer);
      group.finally([&] {
        delay(1ms);
        ++called;
      });
      if (cancel_before_close) outer.cancel();
      group.close();
      outer.cancel();  // before the handler's coroutine has started
      delay(2ms);
      EXPECT_EQ(called, 1);
    }
  });
}

TEST_P(TaskGroupEndTest, UnobservedErrorPropagatesToParentScope) {
  run([] {
    int errors = 0;
    Scope outer = Scope::inherit();
    outer.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++errors; });
    {
      TaskGroup<int> group({}, outer);
      group.spawn(throw_error);
      delay(1ms);
    }
    EXPECT_EQ(errors, 1);
  });
}

TEST_P(TaskGroupEndTest, GroupOutlivesRuntime) {
  int called = 0;
  std::optional<TaskGroup<int>> group;
  run([&] {
    group.emplace();
    group->finally([&] { ++called; });
    group->spawn(throw_error);
    delay(1ms);
  });
  group.reset();
  EXPECT_EQ(called, 1);
}

// SC-13
TEST_P(TaskGroupEndTest, RaceAndAnyOfEmptyClosedGroupThrow) {
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

// SC-15 R3
TEST_P(TaskGroupEndTest, QueueSpaceWakesOneSpawner) {
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

// SHU-02 SHU-03
TEST_P(TaskGroupEndTest, DestructorDoesNotWaitForAbandonedTask) {
  ScopedLeakCheckDisable no_leak_check;
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
