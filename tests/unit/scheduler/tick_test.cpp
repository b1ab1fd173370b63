// The steps of a tick, and the scheduler's loop context.
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::kMaxTicksPerClockRead;
using detail::kPollInterval;

// SCH-04
TEST(Tick, RunsMicrotasksThenPollsThenResumesHead) {
  SimRuntime sim;
  sim.runtime->run([&] {
    // `kind` is 'm' for a microtask and 'h' for the coroutine at the head of the queue.
    struct Step {
      char kind;
      std::uint64_t polls;
    };
    std::vector<Step> steps;
    bool stop = false;
    // At the head of the queue whenever main yields.
    auto head = spawn([&] {
      while (!stop) {
        steps.push_back({'h', statistics().polls_without_wait});
        yield();
      }
    });
    sim.reactor->advance(kPollInterval);
    const std::uint64_t before = statistics().polls_without_wait;
    for (std::uint32_t i = 0; i < kMaxTicksPerClockRead; ++i) {
      queue_microtask([&] { steps.push_back({'m', statistics().polls_without_wait}); });
      yield();
    }
    stop = true;
    await(head);
    // One poll came due. It happened after the microtask of a tick and before the coroutine of the same tick, or in the
    // tick of the other coroutine. It never happened between a coroutine and the microtasks after it.
    ASSERT_EQ(steps.size(), 2 * kMaxTicksPerClockRead);
    EXPECT_EQ(steps.front().polls, before);
    EXPECT_EQ(steps.back().polls, before + 1);
    for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].kind, i % 2 == 0 ? 'm' : 'h');
  });
}

// SCH-04
TEST(Tick, RunsMicrotaskBeforePoll) {
  SimRuntime sim;
  sim.runtime->run([&] {
    // Only main runs, so the poll happens in a tick that starts with a microtask.
    const std::uint64_t before = statistics().polls_without_wait;
    sim.reactor->advance(kPollInterval);
    bool polled = false;
    for (std::uint32_t i = 0; i < kMaxTicksPerClockRead && !polled; ++i) {
      std::uint64_t in_microtask = before + 99;
      queue_microtask([&] { in_microtask = statistics().polls_without_wait; });
      yield();
      EXPECT_EQ(in_microtask, before);
      polled = statistics().polls_without_wait == before + 1;
    }
    EXPECT_TRUE(polled);
  });
}

// SCH-04 PRI-01
TEST(Tick, HighPriorityWakeOfPollRunsInSameTick) {
  // The poll happens before the tick takes the head of the queue.
  SimRuntime sim;
  sim.runtime->run([&] {
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
    sim.reactor->advance(1ms);
    for (std::uint32_t i = 0; i < kMaxTicksPerClockRead && !urgent.is_finished(); ++i) {
      order += 'm';
      yield();
    }
    order += 'm';
    stop = true;
    EXPECT_TRUE(urgent.is_finished());
    // It runs before the coroutine that was at the head of the queue.
    const auto position = order.find('u');
    ASSERT_NE(position, std::string::npos);
    ASSERT_GT(position, 0u);
    await(normal);
    const std::string around = order.substr(position - 1, 3);
    EXPECT_TRUE(around == "mun" || around == "num") << order;
  });
}

class LoopTick : public ReactorTest {};

// SCH-05
TEST_P(LoopTick, PollDoesNotBlockWhileCoroutinesAreReady) {
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
TEST_P(LoopTick, PollBlocksWhenReadyQueueIsEmpty) {
  run([&] {
    const Statistics before = statistics();
    for (int i = 0; i < 3; ++i) delay(2ms);
    const Statistics spent = statistics() - before;
    // epoll_wait() has a resolution of one millisecond, so the native reactor may poll again for the remainder.
    EXPECT_GE(spent.polls_blocking, 3u);
    EXPECT_LE(spent.polls_blocking, GetParam() == ReactorKind::simulated ? 3u : 9u);
    EXPECT_EQ(spent.polls_without_wait, 0u);
    EXPECT_EQ(spent.scheduler_switches, 6u);
  });
}

// SCH-01
TEST_P(LoopTick, LoopContextDoesNotRunWhileCoroutinesAreReady) {
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
TEST_P(LoopTick, LoopContextRunsOnDeadlock) {
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

TRUEASYNC_TEST_ON_ALL_REACTORS(LoopTick);

}  // namespace
}  // namespace trueasync::test
