// TaskGroup: concurrency limit, results, and that no error is lost.
#include "trueasync/scope/task_group.hpp"

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class TaskGroupTest : public ReactorTest {
 protected:
  // Runs `body` and returns the number of unhandled errors.
  template <class F>
  int count_unhandled(F&& body) {
    int count = 0;
    RuntimeOptions options;
    options.on_unhandled = [&](const Coroutine&, std::exception_ptr) { return ++count, true; };
    run(std::forward<F>(body), std::move(options));
    return count;
  }
};

int throw_error() { throw std::runtime_error("failed"); }

// AW-14
TEST_P(TaskGroupTest, AllReturnsResultsByKeyInSpawnOrder) {
  run([] {
    TaskGroup<int> group;
    for (int i = 0; i < 5; ++i) {
      group.spawn([i] {
        delay(std::chrono::milliseconds(5 - i));
        return i * 10;
      });
    }
    auto results = await(group.all());
    ASSERT_EQ(results.size(), 5u);
    std::size_t index = 0;
    for (const auto& [key, value] : results) {
      EXPECT_EQ(key, index);
      EXPECT_EQ(value, static_cast<int>(index++) * 10);
    }
    EXPECT_EQ(await(group.all()).size(), 5u);  // results can be read repeatedly
    EXPECT_EQ(group.count(), 5u);
  });
}

TEST_P(TaskGroupTest, SpawnWithKeySetsResultKey) {
  run([] {
    TaskGroup<std::string, std::string> group;
    group.spawn_with_key("user", [] { return std::string("anna"); });
    group.spawn_with_key("city", [] { return std::string("riga"); });
    auto results = await(group.all());
    EXPECT_EQ(results.at("user") + results.at("city"), "annariga");
  });
}

// SC-15
TEST_P(TaskGroupTest, QueuedTasksHaveNoCoroutine) {
  run([this] {
    TaskGroup<void> group({.concurrency = 3, .queue_limit = 100});
    int running = 0;
    int max_running = 0;
    const auto before = runtime().statistics();
    for (int i = 0; i < 50; ++i) {
      group.spawn([&] {
        max_running = std::max(max_running, ++running);
        delay(100us);
        --running;
      });
    }
    EXPECT_EQ(runtime().statistics().spawned - before.spawned, 3u);
    EXPECT_EQ(group.queued(), 47u);
    await(group.all());
    EXPECT_EQ(max_running, 3);
    EXPECT_EQ(runtime().statistics().spawned - before.spawned, 50u);
  });
}

// SC-15
TEST_P(TaskGroupTest, SpawnersWaitForQueueSpaceInFifoOrder) {
  run([] {
    TaskGroup<int> group({.concurrency = 1, .queue_limit = 2});
    Trigger go;
    std::vector<int> spawned;
    group.spawn([&] { return go.wait(), 0; });
    std::vector<Task<void>> spawners;
    for (int i = 1; i <= 5; ++i) {
      spawners.push_back(spawn([&, i] {
        group.spawn([i] { return i; });
        spawned.push_back(i);
      }));
    }
    delay(1ms);
    EXPECT_EQ(spawned, (std::vector{1, 2}));
    EXPECT_EQ(group.queued(), 2u);
    spawners[2].cancel();  // its task is removed from the queue
    go.fire();
    delay(1ms);
    EXPECT_EQ(spawned, (std::vector{1, 2, 4, 5}));
    auto results = await(group.all());
    EXPECT_EQ(results.size(), 5u);
    EXPECT_EQ(results.at(5), 5);
  });
}

TEST_P(TaskGroupTest, AllThrowsAllErrors) {
  run([] {
    TaskGroup<int> group;
    group.spawn([] { return 1; });
    group.spawn(throw_error);
    group.spawn(throw_error);
    try {
      await(group.all());
      ADD_FAILURE();
    } catch (const CompositeError& error) {
      EXPECT_EQ(error.errors().size(), 2u);
    }
    EXPECT_EQ(await(group.all(TaskErrors::ignore)).size(), 1u);
    EXPECT_EQ(group.errors().size(), 2u);
    EXPECT_EQ(group.results().at(0), 1);
  });
}

TEST_P(TaskGroupTest, RaceReturnsFirstSettledAndAnyFirstSuccess) {
  run([] {
    TaskGroup<int> group;
    group.spawn([] { return delay(3ms), 3; });
    group.spawn([] { return delay(1ms), throw_error(); });
    auto race = group.race();
    auto any = group.any();
    EXPECT_THROW(await(race), std::runtime_error);
    EXPECT_EQ(await(any), 3);
    EXPECT_THROW(await(group.race()), std::runtime_error);  // a second call gives the same result
    EXPECT_EQ(await(group.any()), 3);
    TaskGroup<int> failing;
    failing.spawn(throw_error);
    failing.spawn(throw_error);
    EXPECT_THROW(await(failing.any()), CompositeError);
  });
}

// SC-13
TEST_P(TaskGroupTest, FuturesOutliveTheirGroup) {
  run([] {
    Future<int> race;
    {
      TaskGroup<int> group;
      group.spawn([] { return 4; });
      await(group.all());
      race = group.race();
    }
    EXPECT_EQ(await(race), 4);
    Future<KeyedResults<std::size_t, int>> all;
    {
      TaskGroup<int> group;
      group.spawn([] { return delay(1h), 1; });
      all = group.all();
    }
    EXPECT_THROW(await(all), CompositeError);
  });
}

TEST_P(TaskGroupTest, UnobservedErrorIsReportedByDestructor) {
  EXPECT_EQ(count_unhandled([] {
              TaskGroup<int> group;
              group.spawn(throw_error);
              delay(1ms);
            }),
            1);
  EXPECT_EQ(count_unhandled([] {
              TaskGroup<int> group;
              group.spawn(throw_error);
              delay(1ms);
              group.suppress_errors();
            }),
            0);
  EXPECT_EQ(count_unhandled([] {
              TaskGroup<int> group;
              group.spawn(throw_error);
              delay(1ms);
              EXPECT_EQ(group.errors().size(), 1u);
            }),
            0);
}

// SC-11
TEST_P(TaskGroupTest, IsFinishedWhenClosedAndSettled) {
  run([] {
    TaskGroup<int> group;
    EXPECT_FALSE(group.is_finished());
    group.spawn([] { return 1; });
    await(group.all());
    EXPECT_FALSE(group.is_finished());
    group.spawn([] { return 2; });  // still open
    group.close();
    EXPECT_FALSE(group.is_finished());
    group.await_completion();
    EXPECT_TRUE(group.is_finished());
    EXPECT_THROW(group.spawn([] { return 3; }), MisuseError);
  });
}

// SC-10
TEST_P(TaskGroupTest, FinallyRunsWhenFinishedOrImmediately) {
  run([] {
    TaskGroup<void> group;
    int called = 0;
    group.finally([&] {
      yield();  // it may suspend
      ++called;
    });
    group.spawn([] { delay(1ms); });
    delay(2ms);
    EXPECT_EQ(called, 0);
    group.close();
    delay(1ms);
    EXPECT_EQ(called, 1);
    group.finally([&] { ++called; });
    delay(1ms);
    EXPECT_EQ(called, 2);
  });
}

TEST_P(TaskGroupTest, CancelEndsRunningTasksAndDropsQueuedTasks) {
  run([] {
    TaskGroup<void> group({.concurrency = 2, .queue_limit = 10});
    int started = 0;
    int ended = 0;
    for (int i = 0; i < 6; ++i) {
      group.spawn([&] {
        ++started;
        try {
          delay(1h);
        } catch (const Cancelled&) {
          ++ended;
          throw;
        }
      });
    }
    delay(1ms);
    group.cancel();
    group.await_completion();
    EXPECT_EQ(started, 2);
    EXPECT_EQ(ended, 2);
    EXPECT_EQ(group.errors().size(), 6u);
  });
}

TEST_P(TaskGroupTest, DestructorCancelsAndWaits) {
  run([this] {
    int ended = 0;
    {
      TaskGroup<void> group;
      for (int i = 0; i < 3; ++i) {
        group.spawn([&] {
          struct End {
            int& count;
            ~End() { ++count; }
          } end{ended};
          delay(1h);
        });
      }
      delay(1ms);
    }
    EXPECT_EQ(ended, 3);
    EXPECT_EQ(runtime().statistics().alive, 0u);
  });
}

TEST_P(TaskGroupTest, IterationVisitsResultsInSettleOrder) {
  run([] {
    TaskGroup<int> group;
    for (int i = 0; i < 4; ++i) group.spawn([i] { return delay(std::chrono::milliseconds(8 - 2 * i)), i; });
    group.spawn([] { return delay(20ms), throw_error(); });
    group.close();
    std::vector<int> order;
    for (auto& [key, result] : group) order.push_back(result ? result.value() : -1);
    EXPECT_EQ(order, (std::vector{3, 2, 1, 0, -1}));
    order.clear();
    for (auto& [key, result] : group) order.push_back(static_cast<int>(key));
    EXPECT_EQ(order, (std::vector{3, 2, 1, 0, 4}));
  });
}

// SC-05 SC-06
TEST_P(TaskGroupTest, GroupSurvivesDisposalOfParentScope) {
  run([] {
    auto outer = std::make_unique<Scope>(Scope::inherit());
    TaskGroup<int> group({}, *outer);
    group.spawn([] { return delay(1ms), 1; });
    EXPECT_FALSE(group.scope().dispose());
    EXPECT_EQ(await(group.all()).size(), 1u);
    outer->cancel();
    outer.reset();
    EXPECT_THROW(group.spawn([] { return 1; }), MisuseError);
    EXPECT_EQ(await(group.all()).size(), 1u);
  });
}

TEST_P(TaskGroupTest, CancelOfParentScopeCancelsTasks) {
  run([] {
    Scope outer = Scope::inherit();
    TaskGroup<int> group({.concurrency = 1, .queue_limit = 5}, outer);
    for (int i = 0; i < 3; ++i) group.spawn([] { return delay(1h), 1; });
    delay(1ms);
    outer.cancel();
    EXPECT_EQ(await(group.all(TaskErrors::ignore)).size(), 0u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(TaskGroupTest);

}  // namespace
}  // namespace trueasync::test
