// Exact numbers of context switches.
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class SwitchCount : public ReactorTest {};

// SCH-02 SCH-07
TEST_P(SwitchCount, YieldIsOneDirectSwitch) {
  constexpr std::uint64_t kRounds = 1000;
  run([&] {
    std::uint64_t pongs = 0;
    auto pong = spawn([&] {
      for (std::uint64_t i = 0; i < kRounds; ++i) {
        ++pongs;
        yield();
      }
    });
    const Statistics before = statistics();
    for (std::uint64_t i = 0; i < kRounds; ++i) yield();
    const Statistics spent = statistics() - before;
    // Each yield of main switches directly to `pong`, and each yield of `pong` directly back: two switches per round.
    // The first switch starts `pong`.
    EXPECT_EQ(pongs, kRounds);
    EXPECT_EQ(spent.direct_switches, 2 * kRounds);
    EXPECT_EQ(spent.switches, 2 * kRounds);
    EXPECT_EQ(spent.scheduler_switches, 0u);
    EXPECT_EQ(spent.resumed_in_place, 0u);
    EXPECT_EQ(spent.started_without_switch, 0u);
    await(pong);
  });
}

// SCH-02
TEST_P(SwitchCount, YieldWithoutReadyCoroutineIsNoSwitch) {
  run([] {
    const Statistics before = statistics();
    for (int i = 0; i < 100; ++i) yield();
    const Statistics spent = statistics() - before;
    EXPECT_EQ(spent.switches, 0u);
    EXPECT_EQ(spent.resumed_in_place, 100u);
  });
}

// SCH-03 SCH-07
TEST_P(SwitchCount, ThousandCoroutinesWithoutSuspensionShareStack) {
  run([] {
    std::size_t ran = 0;
    std::size_t max_stacks = 0;
    for (int i = 0; i < 1000; ++i) {
      spawn([&] {
        ++ran;
        max_stacks = std::max(max_stacks, statistics().stacks_in_use);
      });
    }
    const Statistics before = statistics();
    yield();
    const Statistics spent = statistics() - before;
    EXPECT_EQ(ran, 1000u);
    // The first coroutine needs a switch, because main has its own stack. The other 999 take over the context of their
    // predecessor. The second switch resumes main.
    EXPECT_EQ(spent.started_without_switch, 999u);
    EXPECT_EQ(spent.direct_switches, 2u);
    EXPECT_EQ(spent.switches, 2u);
    EXPECT_EQ(spent.finished, 1000u);
    // The scheduler's stack and the shared one.
    EXPECT_EQ(max_stacks, 2u);
  });
}

// SCH-03
TEST_P(SwitchCount, DifferentStackSizePreventsContextTakeover) {
  run([] {
    spawn([] {});
    spawn({.stack_size = 128 * 1024}, [] {});
    spawn([] {});
    const Statistics before = statistics();
    yield();
    const Statistics spent = statistics() - before;
    EXPECT_EQ(spent.finished, 3u);
    EXPECT_EQ(spent.started_without_switch, 0u);
    EXPECT_EQ(spent.direct_switches, 4u);
  });
}

// SCH-07 SUS-02
TEST_P(SwitchCount, AwaitOfFinishedTaskIsNoSwitch) {
  run([] {
    auto task = spawn([] { return 42; });
    yield();
    ASSERT_TRUE(task.is_finished());
    const Statistics before = statistics();
    EXPECT_EQ(await(task), 42);
    Event* events[] = {&task.event()};
    EXPECT_EQ(wait_any(events), 0u);
    const Statistics spent = statistics() - before;
    EXPECT_EQ(spent.switches, 0u);
    EXPECT_EQ(spent.resumed_in_place, 0u);
    EXPECT_EQ(spent.polls_blocking + spent.polls_without_wait, 0u);
    EXPECT_EQ(spent.ready_without_suspend, 1u);
  });
}

// SCH-01 SCH-07
TEST_P(SwitchCount, EmptyReadyQueueCostsTwoSchedulerSwitches) {
  run([] {
    const Statistics before = statistics();
    delay(1ms);
    const Statistics spent = statistics() - before;
    EXPECT_EQ(spent.scheduler_switches, 2u);
    EXPECT_EQ(spent.direct_switches, 0u);
    EXPECT_EQ(spent.switches, 2u);
  });
}

// SCH-02
TEST_P(SwitchCount, AwaitOfReadyCoroutineIsTwoDirectSwitches) {
  run([] {
    auto task = spawn([] { return 1; });
    const Statistics before = statistics();
    EXPECT_EQ(await(task), 1);
    const Statistics spent = statistics() - before;
    EXPECT_EQ(spent.direct_switches, 2u);
    EXPECT_EQ(spent.scheduler_switches, 0u);
  });
}

// SCH-07
TEST_P(SwitchCount, SpawnAndFinishAreCounted) {
  run([] {
    const Statistics before = statistics();
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 10; ++i) tasks.push_back(spawn([] { yield(); }));
    EXPECT_EQ(statistics().alive, 10u);
    EXPECT_EQ(statistics().ready, 10u);
    for (auto& task : tasks) await(task);
    const Statistics spent = statistics() - before;
    EXPECT_EQ(spent.spawned, 10u);
    EXPECT_EQ(spent.finished, 10u);
    EXPECT_EQ(statistics().alive, 0u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(SwitchCount);

}  // namespace
}  // namespace trueasync::test
