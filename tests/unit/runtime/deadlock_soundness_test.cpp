// The detector is sound: while anything can still wake a coroutine it says nothing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "manual_event.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class DeadlockSoundness : public ReactorTest {
 protected:
  template <class F>
  void run_without_deadlock(F&& function) {
    run(std::forward<F>(function));
    EXPECT_EQ(runtime().statistics().deadlocks, 0u);
  }
};
TRUEASYNC_TEST_ON_ALL_REACTORS(DeadlockSoundness);

TEST_P(DeadlockSoundness, TimerIsWaitedFor) {
  // DLK-02 DL-04
  run_without_deadlock([] {
    auto event = ManualEvent::make();
    spawn([event] {
      delay(5ms);
      event->fire();
    });
    wait_for(*event);
  });
}

TEST_P(DeadlockSoundness, TimeLimitIsWaitedFor) {
  // DLK-02 DL-04
  run_without_deadlock([] {
    auto event = ManualEvent::make();
    Event* events[] = {event.get()};
    EXPECT_THROW(wait_any(events, 5ms), TimeoutError);
    auto task = spawn([&] { wait_for(*event); });
    EXPECT_THROW(await(task, timeout(5ms)), OperationCancelled);
    task.cancel();
  });
}

TEST_P(DeadlockSoundness, TriggerOfAnotherThreadIsWaitedFor) {
  // DLK-02 DL-04
  run_without_deadlock([] {
    Trigger trigger;
    Trigger started;
    // The other thread fires only after main said that it is about to wait: no sleep decides here (TE-01).
    std::thread other([&] { trigger.fire(); });
    trigger.wait();
    other.join();
  });
}

TEST_P(DeadlockSoundness, TriggerFiredByAMicrotaskIsSeen) {
  // DLK-02
  run_without_deadlock([] {
    auto event = ManualEvent::make();
    queue_microtask([event] { event->fire(); });
    wait_for(*event);
  });
}

TEST_P(DeadlockSoundness, ChainOfWakesIsFollowedToItsEnd) {
  // DLK-02 IO-13: each link suspends just before the one that wakes it runs.
  run_without_deadlock([] {
    constexpr int kLinks = 50;
    std::vector<Ref<ManualEvent>> events;
    for (int i = 0; i <= kLinks; ++i) events.push_back(ManualEvent::make());
    for (int i = 0; i < kLinks; ++i) {
      spawn([&, i] {
        wait_for(*events[i]);
        events[i + 1]->fire();
      });
    }
    spawn([&] { events[0]->fire(); });
    wait_for(*events[kLinks]);
  });
}

TEST_P(DeadlockSoundness, WaiterThatLeavesTakesItsTimerAlong) {
  // DLK-01 R4: counters are paired; a cancelled delay must not hide a later deadlock.
  run([] {
    auto sleeper = spawn([] { delay(24h); });
    yield();
    sleeper.cancel();
    EXPECT_THROW(await(sleeper), Cancelled);
    EXPECT_THROW(wait_for(*ManualEvent::make()), DeadlockError);
  });
}

TEST(DeadlockSoundnessOnLibuv, DescriptorIsWaitedFor) {
  // DLK-02 DL-04
  Runtime runtime;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread writer;
  runtime.run([&] {
    writer = std::thread([&] { EXPECT_EQ(write(ends[1], "x", 1), 1); });
    EXPECT_EQ(poll(ends[0], Readiness::readable), Readiness::readable);
  });
  writer.join();
  EXPECT_EQ(runtime.statistics().deadlocks, 0u);
  expect_no_leaks(runtime);
  close(ends[0]);
  close(ends[1]);
}

TEST(DeadlockSoundnessInSimulation, DescriptorIsWaitedForUnderAnyOrder) {
  // DLK-02 TE-06
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    testing::Simulation simulation({.seed = seed});
    simulation.run([&] {
      auto reader = spawn([] { return poll(5, Readiness::readable); });
      spawn([&] {
        delay(1ms);
        simulation.set_ready(5, Readiness::readable);
      });
      EXPECT_EQ(await(reader), Readiness::readable);
    });
    EXPECT_EQ(simulation.runtime().statistics().deadlocks, 0u);
  }
}

}  // namespace
}  // namespace trueasync::test
