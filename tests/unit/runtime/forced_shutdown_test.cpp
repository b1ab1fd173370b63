// Forced shutdown: after a second failure, after the shutdown timeout, or when no coroutine can make progress.
#include <gtest/gtest.h>

#include "support/abandoned_coroutine.hpp"
#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class ForcedShutdown : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ForcedShutdown);

void sleep_in_cleanup(bool& finished) {
  try {
    delay(24h);
  } catch (const Cancelled&) {
    delay(24h);
    finished = true;
    throw;
  }
}

// SHU-02
TEST_P(ForcedShutdown, SecondFailureForcesShutdown) {
  bool finished = false;
  EXPECT_THROW(run([&] {
                 spawn([&] { sleep_in_cleanup(finished); });
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
      << "run() throws the first error";
  EXPECT_FALSE(finished) << "the cleanup is interrupted";
}

// SHU-02
TEST_P(ForcedShutdown, FailureOfMainDuringShutdownForcesIt) {
  bool finished = false;
  EXPECT_THROW(run([&] {
                 shut_down();
                 try {
                   yield();
                 } catch (const Cancelled&) {
                   spawn([&] { sleep_in_cleanup(finished); });
                   yield();
                 }
                 throw std::length_error("main failed");
               }),
               std::length_error);
  EXPECT_FALSE(finished) << "no wait suspends after a forced shutdown";
}

// SHU-02
TEST_P(ForcedShutdown, TimeoutInterruptsCleanup) {
  bool finished = false;
  int quick = 0;
  run(
      [&] {
        spawn([&] { sleep_in_cleanup(finished); });
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
      {.shutdown_timeout = 300ms});  // the cleanup of 1 ms must finish on a loaded machine, too
  EXPECT_FALSE(finished);
  EXPECT_EQ(quick, 1) << "a cleanup within the timeout finishes";
}

// SHU-02
TEST(ForcedShutdownSimulated, TimeoutIsExact) {
  testing::Simulation simulation({.order = testing::Order::fifo, .runtime = {.shutdown_timeout = 5s}});
  bool finished = false;
  simulation.run([&] {
    spawn([&] { sleep_in_cleanup(finished); });
    yield();
    shut_down();
  });
  EXPECT_FALSE(finished);
  EXPECT_EQ(simulation.now(), 5s);
  expect_no_leaks(simulation.runtime());
}

// SHU-02
TEST_P(ForcedShutdown, WithoutTimeoutCleanupFinishes) {
  int cleaned_up = 0;
  run([&] {
    spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        delay(30ms);
        ++cleaned_up;
      }
    });
    yield();
    shut_down();
  });
  EXPECT_EQ(cleaned_up, 1);
}

// SHU-02
TEST_P(ForcedShutdown, ProtectedWaitWithoutWakeDoesNotBlockShutdown) {
  bool returned = false;
  run([&] {
    auto never = ManualEvent::make();
    spawn([&returned, never] {
      protect([&] {
        wait_for(*never);
        returned = true;
      });
    });
    yield();
    shut_down();
  });
  EXPECT_FALSE(returned);
}

// SHU-02
TEST_P(ForcedShutdown, TimeoutInterruptsProtectedWait) {
  bool returned = false;
  run(
      [&] {
        spawn([&] {
          protect([&] {
            delay(24h);
            returned = true;
          });
        });
        yield();
        shut_down();
      },
      {.shutdown_timeout = 10ms});
  EXPECT_FALSE(returned);
}

// SHU-02
TEST_P(ForcedShutdown, CoroutineSpawnedAfterForceNeverStarts) {
  int spawned_late = 0;
  run(
      [&] {
        spawn([&] {
          try {
            sleep_in_cleanup(*std::make_unique<bool>());
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

// SHU-02 SHU-03 CA-01
TEST_P(ForcedShutdown, CoroutineThatIgnoresCancellationIsAbandonedAndCounted) {
  // With and without a shutdown timeout.
  for (std::optional<Duration> timeout : {std::optional<Duration>(), std::optional<Duration>(10ms)}) {
    ScopedLeakCheckDisable no_leak_check;
    auto runtime = make_runtime(GetParam(), {.shutdown_timeout = timeout});
    int cleaned_up = 0;
    runtime->run([&] {
      spawn(&ignore_cancellation_forever);
      spawn([&] {
        try {
          delay(24h);
        } catch (const Cancelled&) {
          ++cleaned_up;
        }
      });
      yield();
      shut_down();
    });
    const LeakReport report = runtime->leak_report();
    EXPECT_EQ(report.coroutines, 1u);
    EXPECT_EQ(report.timers, 0u);
    EXPECT_FALSE(report.empty());
    EXPECT_EQ(cleaned_up, 1) << "the other coroutine finishes";
    EXPECT_EQ(runtime->run([] { return await(spawn([] { return 2; })); }), 2) << "the runtime still works";
  }
}

// CA-01
TEST_P(ForcedShutdown, CoroutineThatIgnoresCancellationDoesNotBlockOthers) {
  ScopedLeakCheckDisable no_leak_check;
  auto runtime = make_runtime(GetParam());
  int steps = 0;
  runtime->run([&] {
    auto ignoring = spawn(&ignore_cancellation_forever);
    yield();
    ignoring.cancel();
    for (; steps < 10; ++steps) yield();
    EXPECT_FALSE(ignoring.is_finished());
    shut_down();
  });
  EXPECT_EQ(steps, 10);
  EXPECT_EQ(runtime->leak_report().coroutines, 1u);
}

// SHU-02 SHU-03
TEST_P(ForcedShutdown, CoroutineThatWaitsDuringUnwindingIsAbandoned) {
  // A second exception during unwinding would terminate the process, so the wait cannot be interrupted.
  ScopedLeakCheckDisable no_leak_check;
  auto runtime = make_runtime(GetParam());
  auto never = ManualEvent::make();
  runtime->run([&] {
    struct WaitsInDestructor {
      Event& event;
      ~WaitsInDestructor() { wait_for(event); }
    };
    spawn([&] {
      WaitsInDestructor waits{*never};
      delay(24h);
    });
    yield();
    shut_down();
  });
  EXPECT_EQ(runtime->leak_report().coroutines, 1u);
  EXPECT_FALSE(never->has_subscribers()) << "the abandoned coroutine is unsubscribed";
  never->fire();
}

}  // namespace
}  // namespace trueasync::test
