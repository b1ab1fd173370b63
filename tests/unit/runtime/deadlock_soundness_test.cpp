// Deadlock detection reports no deadlock while anything can still wake a coroutine.
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "support/manual_event.hpp"
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

// DLK-02 DL-04
TEST_P(DeadlockSoundness, PendingTimerIsNoDeadlock) {
  run_without_deadlock([] {
    auto event = ManualEvent::make();
    spawn([event] {
      delay(5ms);
      event->fire();
    });
    wait_for(*event);
  });
}

// DLK-02 DL-04
TEST_P(DeadlockSoundness, PendingTimeoutIsNoDeadlock) {
  run_without_deadlock([] {
    auto event = ManualEvent::make();
    Event* events[] = {event.get()};
    EXPECT_THROW(wait_any(events, 5ms), TimeoutError);
    auto task = spawn([&] { wait_for(*event); });
    EXPECT_THROW(await(task, timeout(5ms)), OperationCancelled);
    task.cancel();
  });
}

// DLK-02 DL-04 TE-01
TEST_P(DeadlockSoundness, TriggerOfAnotherThreadIsNoDeadlock) {
  run_without_deadlock([] {
    Trigger trigger;
    // The test is valid whether the thread fires before or after the wait starts, so it needs no sleep.
    std::thread other([&] { trigger.fire(); });
    trigger.wait();
    other.join();
  });
}

// DLK-02
TEST_P(DeadlockSoundness, EventFiredByMicrotaskIsNoDeadlock) {
  run_without_deadlock([] {
    auto event = ManualEvent::make();
    queue_microtask([event] { event->fire(); });
    wait_for(*event);
  });
}

// DLK-02 IO-13
TEST_P(DeadlockSoundness, ChainOfWakesIsNoDeadlock) {
  // Each coroutine suspends before the coroutine that wakes it runs.
  run_without_deadlock([] {
    constexpr int kCoroutines = 50;
    std::vector<Ref<ManualEvent>> events;
    for (int i = 0; i <= kCoroutines; ++i) events.push_back(ManualEvent::make());
    for (int i = 0; i < kCoroutines; ++i) {
      spawn([&, i] {
        wait_for(*events[i]);
        events[i + 1]->fire();
      });
    }
    spawn([&] { events[0]->fire(); });
    wait_for(*events[kCoroutines]);
  });
}

// DLK-01 R4
TEST_P(DeadlockSoundness, CancelledDelayDoesNotHideDeadlock) {
  // The liveness counts go back to zero, so a cancelled delay does not hide a later deadlock.
  run([] {
    auto sleeper = spawn([] { delay(24h); });
    yield();
    sleeper.cancel();
    EXPECT_THROW(await(sleeper), Cancelled);
    EXPECT_THROW(wait_for(*ManualEvent::make()), DeadlockError);
  });
}

// DLK-02 DL-04
TEST(DeadlockSoundnessNative, PolledDescriptorIsNoDeadlock) {
  Runtime runtime;
  int pipe_fds[2];
  ASSERT_EQ(pipe(pipe_fds), 0);
  std::thread writer;
  runtime.run([&] {
    writer = std::thread([&] { EXPECT_EQ(write(pipe_fds[1], "x", 1), 1); });
    EXPECT_EQ(poll(pipe_fds[0], Readiness::readable), Readiness::readable);
  });
  writer.join();
  EXPECT_EQ(runtime.statistics().deadlocks, 0u);
  expect_no_leaks(runtime);
  close(pipe_fds[0]);
  close(pipe_fds[1]);
}

// DLK-02 TE-06
TEST(DeadlockSoundnessSimulated, PolledDescriptorIsNoDeadlockInAnyOrder) {
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
