// Graceful shutdown: its causes and the order of its steps.
#include <gtest/gtest.h>

#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using Steps = std::vector<std::string>;

class Shutdown : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(Shutdown);

// Sleeps until it is cancelled, then cleans up with suspensions. Records both steps.
void worker(const std::string& name, Steps& steps) {
  try {
    delay(24h);
  } catch (const Cancelled&) {
    steps.push_back(name + " cancelled");
    delay(1ms);
    yield();
    steps.push_back(name + " cleaned up");
    throw;
  }
}

// SHU-01
TEST_P(Shutdown, UnhandledErrorStartsShutdown) {
  Steps steps;
  EXPECT_THROW(run([&] {
                 spawn([&] { worker("a", steps); });
                 spawn([&] { worker("b", steps); });
                 spawn([] {
                   delay(1ms);
                   throw std::out_of_range("unobserved");
                 });
                 worker("main", steps);
               }),
               std::out_of_range);
  EXPECT_EQ(std::count(steps.begin(), steps.end(), "main cleaned up"), 1);
  EXPECT_EQ(steps.size(), 6u) << "all three coroutines are cancelled and clean up";
}

// SHU-01
TEST_P(Shutdown, ErrorOfMainStartsShutdown) {
  Steps steps;
  EXPECT_THROW(run([&] {
                 spawn([&] { worker("a", steps); });
                 yield();
                 throw std::length_error("main failed");
               }),
               std::length_error);
  EXPECT_EQ(steps, (Steps{"a cancelled", "a cleaned up"}));
}

// SHU-01
TEST_P(Shutdown, SecondRequestCancelsCoroutinesSpawnedLater) {
  Steps steps;
  run([&] {
    shut_down();
    try {
      yield();
    } catch (const Cancelled&) {
      spawn([&] { worker("late", steps); });
      yield();
    }
    shut_down();
  });
  EXPECT_EQ(steps, (Steps{"late cancelled", "late cleaned up"}));
}

// SHU-01
TEST_P(Shutdown, RequestReturnsBeforeCancellation) {
  Steps steps;
  run([&] {
    spawn([&] { worker("a", steps); });
    yield();
    shut_down();
    steps.push_back("requested");
  });
  EXPECT_EQ(steps, (Steps{"requested", "a cancelled", "a cleaned up"}));
}

// SHU-01
TEST_P(Shutdown, RequestCancelsCallingCoroutine) {
  Steps steps;
  EXPECT_THROW(run([&] {
                 spawn([&] {
                   shut_down();
                   steps.push_back("requested");
                   worker("caller", steps);
                 });
                 delay(24h);
               }),
               Cancelled)
      << "run() reports that main was cancelled";
  EXPECT_EQ(steps, (Steps{"requested", "caller cancelled", "caller cleaned up"}));
}

// SHU-01
TEST_P(Shutdown, SetsFlagThenCancelsThenRunsCleanup) {
  Steps steps;
  run([&] {
    detail::Scheduler& scheduler = *detail::Scheduler::current();
    auto task = spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        steps.push_back(scheduler.is_shutting_down() ? "flag before cancellation" : "no flag");
        yield();
        steps.push_back("cleanup resumed");
        queue_microtask([&] { steps.push_back("microtask of the cleanup"); });
        throw;
      }
    });
    yield();
    EXPECT_FALSE(scheduler.is_shutting_down());
    shut_down();
    EXPECT_TRUE(scheduler.is_shutting_down());
  });
  EXPECT_EQ(steps, (Steps{"flag before cancellation", "cleanup resumed", "microtask of the cleanup"}));
}

// SHU-01 SH-05
TEST_P(Shutdown, UnstartedCoroutinesNeverStart) {
  // Unstarted coroutines in the ready queue are finalized without running.
  bool ran = false;
  auto captured = std::make_shared<int>();
  run([&] {
    auto yielding = spawn([] {
      for (;;) yield();
    });
    yield();
    spawn([&ran, captured] { ran = true; });
    spawn({.priority = Priority::high}, [&ran, captured] { ran = true; });
    auto event = ManualEvent::make();
    spawn([event] { wait_for(*event); });
    shut_down();
    event->fire();
  });
  EXPECT_FALSE(ran);
  EXPECT_EQ(captured.use_count(), 1);
}

// SHU-01
TEST_P(Shutdown, CleanupMaySpawnAndAwait) {
  int result = 0;
  run([&] {
    spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        result = await(spawn([] {
          delay(1ms);
          return 8;
        }));
        throw;
      }
    });
    yield();
    shut_down();
  });
  EXPECT_EQ(result, 8);
}

TEST_P(Shutdown, MainMayReturnValueDuringShutdown) {
  const int value = run([] {
    shut_down();
    try {
      yield();
    } catch (const Cancelled&) {
    }
    return 12;
  });
  EXPECT_EQ(value, 12);
}

// SHU-01
TEST_P(Shutdown, ErrorOfCleanupTakesPrecedenceOverCancellation) {
  // The cleanup fails after main was cancelled. run() throws the error of the cleanup.
  EXPECT_THROW(run([] {
                 spawn([] {
                   try {
                     delay(24h);
                   } catch (const Cancelled&) {
                     delay(1ms);
                     throw std::domain_error("cleanup failed");
                   }
                 });
                 yield();
                 shut_down();
                 delay(24h);
               }),
               std::domain_error);
}

// SHU-03 SH-05
TEST_P(Shutdown, RuntimeIsReusableAfterFailedRun) {
  auto reused = make_runtime(GetParam());
  for (int round = 0; round < 3; ++round) {
    EXPECT_THROW(reused->run([] {
      spawn([] { delay(24h); });
      spawn([] { throw std::runtime_error("x"); });
      delay(24h);
    }),
                 std::runtime_error);
    expect_no_leaks(*reused);
    EXPECT_EQ(reused->run([] {
      return await(spawn([] {
        delay(1ms);
        return 1;
      }));
    }),
              1);
    expect_no_leaks(*reused);
  }
}

// SHU-03 SH-01
TEST_P(Shutdown, LeakReportIsEmptyWithWaitsInFlight) {
  // The fixture checks the report after every run. Here every kind of wait is in flight.
  EXPECT_THROW(run([] {
                 auto trigger = std::make_shared<Trigger>();
                 auto event = ManualEvent::make();
                 spawn([trigger] { trigger->wait(); });
                 spawn([event] { wait_for(*event); });
                 spawn([] {
                   Interval interval(1h);
                   interval.wait();
                 });
                 auto slow = std::make_shared<Task<void>>(spawn([] { delay(24h); }));
                 spawn([slow] { await(*slow, timeout(12h)); });
                 yield();
                 queue_microtask([] {});
                 throw std::runtime_error("in the middle");
               }),
               std::runtime_error);
  EXPECT_TRUE(runtime().leak_report().empty());
}

}  // namespace
}  // namespace trueasync::test
