// The final step of a shutdown: forced by a second failure, by the deadline, or because nothing can go on.
#include <gtest/gtest.h>

#include "manual_event.hpp"
#include "support/abandoned_coroutine.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class ShutdownForced : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ShutdownForced);

void clean_up_slowly(bool& finished) {
  try {
    delay(24h);
  } catch (const Cancelled&) {
    delay(24h);
    finished = true;
    throw;
  }
}

TEST_P(ShutdownForced, SecondFailureGoesStraightToTheFinalStep) {
  // SHU-02
  bool finished = false;
  EXPECT_THROW(run([&] {
                 spawn([&] { clean_up_slowly(finished); });
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
               std::length_error)
      << "the first error is the one to report";
  EXPECT_FALSE(finished) << "the slow cleanup was cut short";
}

TEST_P(ShutdownForced, FailureOfMainIsASecondOneToo) {
  // SHU-02
  bool finished = false;
  EXPECT_THROW(run([&] {
                 shut_down();
                 try {
                   yield();
                 } catch (const Cancelled&) {
                   spawn([&] { clean_up_slowly(finished); });
                   yield();
                 }
                 throw std::length_error("main is done for");
               }),
               std::length_error);
  EXPECT_FALSE(finished) << "no wait suspends any more";
}

TEST_P(ShutdownForced, DeadlineCutsCleanupShort) {
  // SHU-02
  bool finished = false;
  int quick = 0;
  run(
      [&] {
        spawn([&] { clean_up_slowly(finished); });
        spawn([&] {
          try {
            delay(24h);
          } catch (const Cancelled&) {
            delay(1ms);
            ++quick;
          }
        });
        yield();
        shut_down();
      },
      {.shutdown_timeout = 20ms});
  EXPECT_FALSE(finished);
  EXPECT_EQ(quick, 1) << "who is quick enough cleans up in peace";
}

TEST(ShutdownForcedInSimulation, DeadlineIsExact) {
  // SHU-02
  testing::Simulation simulation({.order = testing::Order::fifo, .runtime = {.shutdown_timeout = 5s}});
  bool finished = false;
  simulation.run([&] {
    spawn([&] { clean_up_slowly(finished); });
    yield();
    shut_down();
  });
  EXPECT_FALSE(finished);
  EXPECT_EQ(simulation.now(), 5s);
  expect_no_leaks(simulation.runtime());
}

TEST_P(ShutdownForced, NoDeadlineMeansCleanupTakesItsTime) {
  // SHU-02: the other way round.
  int cleaned = 0;
  run([&] {
    spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        delay(30ms);
        ++cleaned;
      }
    });
    yield();
    shut_down();
  });
  EXPECT_EQ(cleaned, 1);
}

TEST_P(ShutdownForced, ProtectedOneThatNothingCanWakeDoesNotHoldTheEnd) {
  // SHU-02
  bool came_back = false;
  run([&] {
    auto never = ManualEvent::make();
    spawn([&came_back, never] {
      protect([&] {
        wait_for(*never);
        came_back = true;
      });
    });
    yield();
    shut_down();
  });
  EXPECT_FALSE(came_back);
}

TEST_P(ShutdownForced, ProtectionDoesNotOutlastTheDeadline) {
  // SHU-02
  bool came_back = false;
  run(
      [&] {
        spawn([&] {
          protect([&] {
            delay(24h);
            came_back = true;
          });
        });
        yield();
        shut_down();
      },
      {.shutdown_timeout = 10ms});
  EXPECT_FALSE(came_back);
}

TEST_P(ShutdownForced, WhatIsSpawnedInTheFinalStepNeverStarts) {
  // SHU-02
  int spawned_late = 0;
  run(
      [&] {
        spawn([&] {
          try {
            clean_up_slowly(*std::make_unique<bool>());
          } catch (const Cancelled&) {
            spawn([&] {
              ++spawned_late;
              delay(24h);
              ++spawned_late;
            });
          }
        });
        yield();
        shut_down();
      },
      {.shutdown_timeout = 10ms});
  EXPECT_EQ(spawned_late, 0);
}

TEST_P(ShutdownForced, OneThatCatchesEverythingInALoopIsGivenUpAndCounted) {
  // SHU-02 SHU-03 CA-01: with a deadline and without one.
  for (std::optional<Duration> deadline : {std::optional<Duration>(), std::optional<Duration>(10ms)}) {
    ScopedLeakCheckDisable forgiven;
    auto runtime = make_runtime(GetParam(), {.shutdown_timeout = deadline});
    int others = 0;
    runtime->run([&] {
      spawn(&ignore_cancellation_forever);
      spawn([&] {
        try {
          delay(24h);
        } catch (const Cancelled&) {
          ++others;
        }
      });
      yield();
      shut_down();
    });
    const LeakReport left = runtime->leak_report();
    EXPECT_EQ(left.coroutines, 1u);
    EXPECT_EQ(left.timers, 0u);
    EXPECT_FALSE(left.empty());
    EXPECT_EQ(others, 1) << "it did not keep the others from ending";
    EXPECT_EQ(runtime->run([] { return await(spawn([] { return 2; })); }), 2) << "the runtime is still good";
  }
}

TEST_P(ShutdownForced, OneThatRefusesItsCancellationDoesNotKeepTheOthersFromRunning) {
  // CA-01
  ScopedLeakCheckDisable forgiven;
  auto runtime = make_runtime(GetParam());
  int steps = 0;
  runtime->run([&] {
    auto stubborn = spawn(&ignore_cancellation_forever);
    yield();
    stubborn.cancel();
    for (; steps < 10; ++steps) yield();
    EXPECT_FALSE(stubborn.is_finished());
    shut_down();
  });
  EXPECT_EQ(steps, 10);
  EXPECT_EQ(runtime->leak_report().coroutines, 1u);
}

TEST_P(ShutdownForced, DestructorThatWaitsForEverWhileUnwindingIsGivenUp) {
  // SHU-02 SHU-03: a second exception during unwinding would end the process, so nothing can wake it.
  ScopedLeakCheckDisable forgiven;
  auto runtime = make_runtime(GetParam());
  auto never = ManualEvent::make();
  runtime->run([&] {
    struct Stuck {
      Event& event;
      ~Stuck() { wait_for(event); }
    };
    spawn([&] {
      Stuck stuck{*never};
      delay(24h);
    });
    yield();
    shut_down();
  });
  EXPECT_EQ(runtime->leak_report().coroutines, 1u);
  EXPECT_FALSE(never->has_subscribers()) << "the world is rid of it";
  never->fire();
}

}  // namespace
}  // namespace trueasync::test
