// After a forced shutdown: awaiters of abandoned coroutines are cancelled, and no coroutine starts.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "support/abandoned_coroutine.hpp"
#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class AfterForcedShutdown : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(AfterForcedShutdown);

// Waits for an event that never fires while an exception unwinds the stack, so the coroutine must be abandoned.
struct WaitsWhileUnwinding {
  Event& event;
  ~WaitsWhileUnwinding() {
    try {
      wait_for(event);
    } catch (...) {
    }
  }
};

// SHU-02 AW-03
TEST_P(AfterForcedShutdown, AwaiterOfAbandonedCoroutineGetsCancelled) {
  ScopedLeakCheckDisable no_leak_check;
  auto runtime = make_runtime(GetParam());
  auto never = ManualEvent::make();
  int cancellations = 0;
  struct AwaitsWhileUnwinding {
    Task<void>& task;
    int& cancellations;
    ~AwaitsWhileUnwinding() {
      try {
        await(task);
      } catch (const Cancelled&) {
        ++cancellations;
      } catch (...) {
        cancellations = -1;
      }
    }
  };
  EXPECT_THROW(runtime->run([&] {
    auto task = spawn([&] {
      WaitsWhileUnwinding waits{*never};
      throw std::range_error("task");
    });
    yield();
    shut_down();
    AwaitsWhileUnwinding awaits{task, cancellations};
    throw std::length_error("main");
  }),
               std::length_error);
  EXPECT_EQ(cancellations, 1);
  EXPECT_EQ(runtime->leak_report().coroutines, 1u);
}

// SHU-02 SHU-03
TEST_P(AfterForcedShutdown, AbandonedTaskIsCancelled) {
  // A later await() must find a result.
  ScopedLeakCheckDisable no_leak_check;
  auto runtime = make_runtime(GetParam());
  auto never = ManualEvent::make();
  Task<int> task;
  runtime->run([&] {
    task = spawn([&]() -> int {
      WaitsWhileUnwinding waits{*never};
      throw std::range_error("task");
    });
    yield();
    shut_down();
  });
  EXPECT_TRUE(task.is_finished());
  EXPECT_TRUE(task.is_cancelled());
  runtime->run([&] { EXPECT_THROW(await(task), Cancelled); });
}

// Waits until the shutdown is forced, then calls `function`.
template <class F>
void call_when_forced(F function) {
  try {
    delay(24h);
  } catch (const Cancelled&) {
    try {
      delay(24h);
    } catch (const Cancelled&) {
      function();
    }
    throw;
  }
}

// SHU-02
TEST_P(AfterForcedShutdown, ChainOfSpawnsEnds) {
  constexpr int kMaxCalls = 10'000;
  int calls = 0;
  std::function<void()> respawn = [&] {
    if (++calls < kMaxCalls) spawn(respawn);
  };
  EXPECT_THROW(run([&] {
                 spawn([&] { call_when_forced(respawn); });
                 spawn([] {
                   try {
                     delay(24h);
                   } catch (const Cancelled&) {
                     throw std::domain_error("second");
                   }
                 });
                 yield();
                 throw std::length_error("first");
               }),
               std::length_error);
  EXPECT_EQ(calls, 1) << "the spawned coroutines never start";
}

// SHU-02 CXL-01
TEST_P(AfterForcedShutdown, SpawnedCoroutineIsCancelledBeforeStart) {
  bool started = false;
  Task<void> late;
  run(
      [&] {
        spawn([&] { call_when_forced([&] { late = spawn([&] { started = true; }); }); });
        yield();
        shut_down();
      },
      {.shutdown_timeout = 5ms});
  ASSERT_TRUE(late);
  EXPECT_FALSE(started);
  EXPECT_TRUE(late.is_finished());
  EXPECT_TRUE(late.is_cancelled());
}

// SHU-02 CXL-01
TEST_P(AfterForcedShutdown, ClosuresThatSpawnInDestructorAreDestroyed) {
  struct SpawnsOnDestroy {
    int* destroyed;
    explicit SpawnsOnDestroy(int* count) : destroyed(count) {}
    SpawnsOnDestroy(SpawnsOnDestroy&& other) noexcept : destroyed(std::exchange(other.destroyed, nullptr)) {}
    void operator()() {}
    ~SpawnsOnDestroy() {
      if (destroyed && ++*destroyed < 5) spawn(SpawnsOnDestroy(destroyed));
    }
  };
  int destroyed = 0;
  run(
      [&] {
        spawn([&] { call_when_forced([&] { spawn(SpawnsOnDestroy(&destroyed)); }); });
        yield();
        shut_down();
      },
      {.shutdown_timeout = 5ms});
  EXPECT_EQ(destroyed, 5);
}

// SHU-02
TEST_P(AfterForcedShutdown, NextRunStartsCleanly) {
  auto runtime = make_runtime(GetParam(), {.shutdown_timeout = 5ms});
  runtime->run([&] {
    spawn([&] { call_when_forced([] { spawn([] {}); }); });
    yield();
    shut_down();
  });
  expect_no_leaks(*runtime);
  EXPECT_EQ(runtime->run([] { return await(spawn([] { return 2; })); }), 2);
  expect_no_leaks(*runtime);
}

}  // namespace
}  // namespace trueasync::test
