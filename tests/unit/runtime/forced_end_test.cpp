// After the forced end: whoever still waits for one that was given up is told, and nobody starts any more.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "manual_event.hpp"
#include "support/abandoned_coroutine.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class ForcedEnd : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ForcedEnd);

// Waits for ever while an exception passes: nothing may wake it but the event.
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
TEST_P(ForcedEnd, AwaiterOfOneThatWasGivenUpIsToldWithACancellation) {
  ScopedLeakCheckDisable forgiven;
  auto runtime = make_runtime(GetParam());
  auto never = ManualEvent::make();
  int told = 0;
  struct AwaitsWhileUnwinding {
    Task<void>& task;
    int& told;
    ~AwaitsWhileUnwinding() {
      try {
        await(task);
      } catch (const Cancelled&) {
        ++told;
      } catch (...) {
        told = -1;
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
    AwaitsWhileUnwinding awaits{task, told};
    throw std::length_error("main");
  }),
               std::length_error);
  EXPECT_EQ(told, 1);
  EXPECT_EQ(runtime->leak_report().coroutines, 1u);
}

// SHU-02 SHU-03
TEST_P(ForcedEnd, HandleOfOneThatWasGivenUpAnswersAfterwards) {
  // Another runtime's await of it must not find an empty error.
  ScopedLeakCheckDisable forgiven;
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

// Waits until the end is forced, then calls `function`.
template <class F>
void when_forced(F function) {
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
TEST_P(ForcedEnd, ChainThatSpawnsItsSuccessorEnds) {
  constexpr int kEnough = 10'000;
  int links = 0;
  std::function<void()> again = [&] {
    if (++links < kEnough) spawn(again);
  };
  EXPECT_THROW(run([&] {
                 spawn([&] { when_forced(again); });
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
  EXPECT_EQ(links, 1) << "the call, and nobody who was spawned by it";
}

// SHU-02 CXL-01
TEST_P(ForcedEnd, WhatIsSpawnedThenIsCancelledUnstarted) {
  bool started = false;
  Task<void> late;
  run(
      [&] {
        spawn([&] { when_forced([&] { late = spawn([&] { started = true; }); }); });
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
TEST_P(ForcedEnd, ClosuresThatSpawnWhenTheyAreDestroyedUnrunAreAllDestroyed) {
  struct Chain {
    int* links;
    explicit Chain(int* count) : links(count) {}
    Chain(Chain&& other) noexcept : links(std::exchange(other.links, nullptr)) {}
    void operator()() {}
    ~Chain() {
      if (links && ++*links < 5) spawn(Chain(links));
    }
  };
  int links = 0;
  run(
      [&] {
        spawn([&] { when_forced([&] { spawn(Chain(&links)); }); });
        yield();
        shut_down();
      },
      {.shutdown_timeout = 5ms});
  EXPECT_EQ(links, 5);
}

// SHU-02
TEST_P(ForcedEnd, OfOneRunIsForgottenInTheNext) {
  auto runtime = make_runtime(GetParam(), {.shutdown_timeout = 5ms});
  runtime->run([&] {
    spawn([&] { when_forced([] { spawn([] {}); }); });
    yield();
    shut_down();
  });
  expect_no_leaks(*runtime);
  EXPECT_EQ(runtime->run([] { return await(spawn([] { return 2; })); }), 2);
  expect_no_leaks(*runtime);
}

}  // namespace
}  // namespace trueasync::test
