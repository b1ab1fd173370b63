// TaskGroup: limits, what its futures say, and that no error vanishes.
#include "trueasync/task_group.hpp"

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Groups : public ReactorTest {
 protected:
  // Runs it with a handler that counts errors nobody awaits.
  template <class F>
  int unhandled_in(F&& body) {
    int count = 0;
    RuntimeOptions options;
    options.on_unhandled = [&](const Coroutine&, std::exception_ptr) { return ++count, true; };
    run(std::forward<F>(body), std::move(options));
    return count;
  }
};

int fails() { throw std::runtime_error("failed"); }

TEST_P(Groups, AllGivesTheResultsByKeyInTheOrderOfSpawning) {
  // AW-14
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
    std::size_t number = 0;
    for (const auto& [key, value] : results) {
      EXPECT_EQ(key, number);
      EXPECT_EQ(value, static_cast<int>(number++) * 10);
    }
    EXPECT_EQ(await(group.all()).size(), 5u);  // asking again gives the same
    EXPECT_EQ(group.count(), 5u);
  });
}

TEST_P(Groups, TasksHaveKeys) {
  run([] {
    TaskGroup<std::string, std::string> group;
    group.spawn_with_key("user", [] { return std::string("anna"); });
    group.spawn_with_key("city", [] { return std::string("riga"); });
    auto results = await(group.all());
    EXPECT_EQ(results.at("user") + results.at("city"), "annariga");
  });
}

TEST_P(Groups, NoMoreRunAtATimeThanAllowedAndTheOthersHaveNoCoroutine) {
  // SC-15
  run([this] {
    TaskGroup<void> group({.concurrency = 3, .queue_limit = 100});
    int now = 0;
    int highest = 0;
    const auto before = runtime().statistics();
    for (int i = 0; i < 50; ++i) {
      group.spawn([&] {
        highest = std::max(highest, ++now);
        delay(100us);
        --now;
      });
    }
    EXPECT_EQ(runtime().statistics().spawned - before.spawned, 3u);
    EXPECT_EQ(group.queued(), 47u);
    await(group.all());
    EXPECT_EQ(highest, 3);
    EXPECT_EQ(runtime().statistics().spawned - before.spawned, 50u);
  });
}

TEST_P(Groups, SpawningSuspendsWhileTheQueueIsFullFirstComeFirstServed) {
  // SC-15
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
    spawners[2].cancel();  // it gives its place up and spawns nothing
    go.fire();
    delay(1ms);
    EXPECT_EQ(spawned, (std::vector{1, 2, 4, 5}));
    auto results = await(group.all());
    EXPECT_EQ(results.size(), 5u);
    EXPECT_EQ(results.at(5), 5);
  });
}

TEST_P(Groups, AllFailsWithAllErrors) {
  run([] {
    TaskGroup<int> group;
    group.spawn([] { return 1; });
    group.spawn(fails);
    group.spawn(fails);
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

TEST_P(Groups, RaceIsTheFirstToSettleAndAnyTheFirstToSucceed) {
  run([] {
    TaskGroup<int> group;
    group.spawn([] { return delay(3ms), 3; });
    group.spawn([] { return delay(1ms), fails(); });
    auto race = group.race();
    auto any = group.any();
    EXPECT_THROW(await(race), std::runtime_error);
    EXPECT_EQ(await(any), 3);
    EXPECT_THROW(await(group.race()), std::runtime_error);  // again the same
    EXPECT_EQ(await(group.any()), 3);
    TaskGroup<int> bad;
    bad.spawn(fails);
    bad.spawn(fails);
    EXPECT_THROW(await(bad.any()), CompositeError);
  });
}

TEST_P(Groups, AFutureThatIsResolvedAtOnceIsNotKept) {
  // SC-13
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

TEST_P(Groups, AnErrorThatNobodyWasGivenIsReportedWhenTheGroupGoes) {
  EXPECT_EQ(unhandled_in([] {
              TaskGroup<int> group;
              group.spawn(fails);
              delay(1ms);
            }),
            1);
  EXPECT_EQ(unhandled_in([] {
              TaskGroup<int> group;
              group.spawn(fails);
              delay(1ms);
              group.suppress_errors();
            }),
            0);
  EXPECT_EQ(unhandled_in([] {
              TaskGroup<int> group;
              group.spawn(fails);
              delay(1ms);
              EXPECT_EQ(group.errors().size(), 1u);
            }),
            0);
}

TEST_P(Groups, IsFinishedOnlyWhenClosedAndAllHaveSettled) {
  // SC-11
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

TEST_P(Groups, FinallyIsCalledWhenItIsOverAndAtOnceIfItWas) {
  // SC-10
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

TEST_P(Groups, CancelEndsWhatRunsAndWhatIsQueuedNeverStarts) {
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

TEST_P(Groups, ItsDestructorLeavesNoTaskBehind) {
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

TEST_P(Groups, ResultsArriveAsTasksSettle) {
  run([] {
    TaskGroup<int> group;
    for (int i = 0; i < 4; ++i) group.spawn([i] { return delay(std::chrono::milliseconds(8 - 2 * i)), i; });
    group.spawn([] { return delay(20ms), fails(); });
    group.close();
    std::vector<int> order;
    for (auto& [key, result] : group) order.push_back(result ? result.value() : -1);
    EXPECT_EQ(order, (std::vector{3, 2, 1, 0, -1}));
    order.clear();
    for (auto& [key, result] : group) order.push_back(static_cast<int>(key));
    EXPECT_EQ(order, (std::vector{3, 2, 1, 0, 4}));
  });
}

TEST_P(Groups, TheScopeItStandsInMayBeDisposedOfByOthers) {
  // SC-05 SC-06
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

TEST_P(Groups, ACancelledScopeEndsItsTasks) {
  run([] {
    Scope outer = Scope::inherit();
    TaskGroup<int> group({.concurrency = 1, .queue_limit = 5}, outer);
    for (int i = 0; i < 3; ++i) group.spawn([] { return delay(1h), 1; });
    delay(1ms);
    outer.cancel();
    EXPECT_EQ(await(group.all(TaskErrors::ignore)).size(), 0u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Groups);

}  // namespace
}  // namespace trueasync::test
