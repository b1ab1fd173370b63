// The tick and the scheduler's own coroutine (SCH-01, SCH-04, SCH-05).
#include "unit/scheduler/manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::kMaxTicksPerClockRead;
using detail::kPollInterval;

// SCH-04
TEST(Tick, RunsMicrotasksThenLooksAtTheReactorThenTakesTheHead) {
  SimRuntime world;
  world.runtime->run([&] {
    struct Look {
      char who;
      std::uint64_t polls;
    };
    std::vector<Look> looks;
    bool stop = false;
    // Always at the head when main yields.
    auto head = spawn([&] {
      while (!stop) {
        looks.push_back({'h', statistics().polls_without_wait});
        yield();
      }
    });
    world.reactor->advance(kPollInterval);
    const std::uint64_t before = statistics().polls_without_wait;
    for (std::uint32_t i = 0; i < kMaxTicksPerClockRead; ++i) {
      queue_microtask([&] { looks.push_back({'m', statistics().polls_without_wait}); });
      yield();
    }
    stop = true;
    await(head);
    // One look at the reactor came due. It lies between a microtask and the head of the same tick, or between the
    // other coroutine's own tick and main; never between a head and the microtasks after it.
    ASSERT_EQ(looks.size(), 2 * kMaxTicksPerClockRead);
    EXPECT_EQ(looks.front().polls, before);
    EXPECT_EQ(looks.back().polls, before + 1);
    for (std::size_t i = 0; i < looks.size(); ++i) EXPECT_EQ(looks[i].who, i % 2 == 0 ? 'm' : 'h');
  });
}

// SCH-04
TEST(Tick, AMicrotaskIsRunBeforeTheReactorIsLookedAt) {
  SimRuntime world;
  world.runtime->run([&] {
    // Main alone: every tick is its own, so the look falls into a tick that has a microtask in front of it.
    const std::uint64_t before = statistics().polls_without_wait;
    world.reactor->advance(kPollInterval);
    bool seen = false;
    for (std::uint32_t i = 0; i < kMaxTicksPerClockRead && !seen; ++i) {
      std::uint64_t in_microtask = before + 99;
      queue_microtask([&] { in_microtask = statistics().polls_without_wait; });
      yield();
      EXPECT_EQ(in_microtask, before);
      seen = statistics().polls_without_wait == before + 1;
    }
    EXPECT_TRUE(seen);
  });
}

// SCH-04 PRI-01
TEST(Tick, WhatTheReactorWakesAtHighPriorityRunsInTheSameTick) {
  // So the look comes before the head is taken.
  SimRuntime world;
  world.runtime->run([&] {
    std::string order;
    auto urgent = spawn({.priority = Priority::high}, [&] {
      delay(1ms);
      order += 'u';
    });
    yield();
    bool stop = false;
    auto normal = spawn([&] {
      while (!stop) {
        order += 'n';
        yield();
      }
    });
    world.reactor->advance(1ms);
    for (std::uint32_t i = 0; i < kMaxTicksPerClockRead && !urgent.is_finished(); ++i) {
      order += 'm';
      yield();
    }
    order += 'm';
    stop = true;
    EXPECT_TRUE(urgent.is_finished());
    // Taken before whoever was at the head of the queue at that moment.
    const auto at = order.find('u');
    ASSERT_NE(at, std::string::npos);
    ASSERT_GT(at, 0u);
    await(normal);
    const std::string around = order.substr(at - 1, 3);
    EXPECT_TRUE(around == "mun" || around == "num") << order;
  });
}

class TickOnBoth : public ReactorTest {};

// SCH-05
TEST_P(TickOnBoth, WithWorkInTheQueueThePollNeverBlocks) {
  run([] {
    auto other = spawn([] {
      for (int i = 0; i < 5000; ++i) yield();
    });
    auto sleeper = spawn([] { delay(1h); });
    const Statistics before = statistics();
    for (int i = 0; i < 5000; ++i) yield();
    EXPECT_EQ((statistics() - before).polls_blocking, 0u);
    sleeper.cancel();
  });
}

// SCH-05 SCH-01
TEST_P(TickOnBoth, WithAnEmptyQueueItBlocksUntilTheNextEvent) {
  run([&] {
    const Statistics before = statistics();
    for (int i = 0; i < 3; ++i) delay(2ms);
    const Statistics spent = statistics() - before;
    // libuv counts whole milliseconds, so it may come back once more for the rest.
    EXPECT_GE(spent.polls_blocking, 3u);
    EXPECT_LE(spent.polls_blocking, GetParam() == ReactorKind::simulated ? 3u : 9u);
    EXPECT_EQ(spent.polls_without_wait, 0u);
    EXPECT_EQ(spent.scheduler_switches, 6u);
  });
}

// SCH-01
TEST_P(TickOnBoth, TheSchedulersCoroutineDoesNotRunWhileSomebodyIsReady) {
  run([] {
    std::vector<Task<void>> tasks;
    const Statistics before = statistics();
    for (int i = 0; i < 50; ++i) {
      tasks.push_back(spawn([] {
        for (int round = 0; round < 20; ++round) yield();
      }));
    }
    for (auto& task : tasks) await(task);
    EXPECT_EQ((statistics() - before).scheduler_switches, 0u);
  });
}

// SCH-01
TEST_P(TickOnBoth, TheSchedulersCoroutineRunsWhenADeadlockIsFound) {
  run([] {
    auto never = ManualEvent::make();
    Event* events[] = {never.get()};
    const Statistics before = statistics();
    EXPECT_THROW(wait_any(events), DeadlockError);
    const Statistics spent = statistics() - before;
    EXPECT_EQ(spent.scheduler_switches, 2u);
    EXPECT_EQ(spent.deadlocks, 1u);
    EXPECT_EQ(spent.polls_blocking, 0u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(TickOnBoth);

}  // namespace
}  // namespace trueasync::test
