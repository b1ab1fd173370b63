// An idle program uses no CPU time: it blocks in the kernel until the next timer or event.
#include <gtest/gtest.h>

#include <ctime>

#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

std::chrono::nanoseconds thread_cpu_time() {
  timespec used = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// SCH-05 XC-13 IO-29
TEST(Idle, DistantTimerNeedsOneBlockingPoll) {
  Runtime runtime;
  runtime.run([] {
    auto distant = spawn([] { delay(24h); });
    yield();
    const Statistics before = statistics();
    const auto cpu = thread_cpu_time();
    delay(500ms);
    EXPECT_LE(statistics().polls_blocking - before.polls_blocking, 4u);
    EXPECT_LE(statistics().switches - before.switches, 4u);
    EXPECT_LT(thread_cpu_time() - cpu, 50ms) << "a spinning loop uses all of the 500 ms";
    distant.cancel();
  });
}

// SCH-05 CTX-02: after a burst, the trimming of the stack pool wakes the loop a bounded number of times.
TEST(Idle, StackTrimmingAfterBurstStops) {
  Runtime runtime;
  runtime.run([] {
    std::vector<Task<void>> burst;
    for (int i = 0; i < 200; ++i) burst.push_back(spawn([] { delay(1ms); }));
    for (auto& task : burst) await(task);
    const auto before = statistics().polls_blocking;
    delay(1500ms);
    EXPECT_LE(statistics().polls_blocking - before, 60u);
  });
}

// SCH-05 XC-13
TEST(Idle, WaitForTriggerDoesNotPoll) {
  Runtime runtime;
  runtime.run([] {
    Trigger trigger;
    auto waiter = spawn([&] { trigger.wait(); });
    yield();
    const auto before = statistics().polls_blocking;
    delay(200ms);
    EXPECT_LE(statistics().polls_blocking - before, 4u);
    trigger.fire();
    await(waiter);
  });
}

}  // namespace
}  // namespace trueasync::test
