// DeadlockError: its message, the coroutine that gets it, and recovery.
#include <gtest/gtest.h>

#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Deadlock : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(Deadlock);

std::string line(std::uint_least32_t number) { return "deadlock_test.cpp:" + std::to_string(number); }

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (part) << " is missing in\n" << (text)

// DLK-01 DL-01
TEST_P(Deadlock, ReportHasLocationsAndWaitsOfEveryCoroutine) {
  run([] {
    auto never = ManualEvent::make("an event that never fires");
    const auto spawned = SourceLocation::current().line() + 1;
    auto waiter = spawn({.name = "waiter"}, [&] { wait_for(*never); });
    std::string report;
    const auto suspended = SourceLocation::current().line() + 2;
    try {
      await(waiter);
    } catch (const DeadlockError& error) {
      report = error.what();
    }
    EXPECT_HAS(report, "#1 \"main\": suspended");
    EXPECT_HAS(report, "#2 \"waiter\": suspended");
    EXPECT_HAS(report, "spawned at " + line(spawned));
    EXPECT_HAS(report, "suspended at " + line(suspended));
    EXPECT_HAS(report, "suspended at " + line(spawned));
    EXPECT_HAS(report, "waits for coroutine #2 \"waiter\"");
    EXPECT_HAS(report, "waits for an event that never fires");
    EXPECT_EQ(report.find("wait cycle"), std::string::npos) << "the waits have no cycle";
    waiter.cancel();
  });
}

// DLK-01 DL-01
TEST_P(Deadlock, ReportShowsWaitCycle) {
  run([] {
    Task<void> a, b;
    a = spawn({.name = "a"}, [&] { await(b); });
    b = spawn({.name = "b"}, [&] { await(a); });
    std::string report;
    try {
      await(a);
    } catch (const DeadlockError& error) {
      report = error.what();
    }
    EXPECT_HAS(report, "wait cycle: #2 \"a\" → #3 \"b\" → #2 \"a\"");
    a.cancel();
  });
}

// DLK-01
TEST_P(Deadlock, WaitCycleIncludesHolderOfEvent) {
  run([] {
    auto lock = ManualEvent::make("a lock");
    Task<void> holder;
    auto waiter = spawn({.name = "waiter"}, [&] { wait_for(*lock); });
    holder = spawn({.name = "holder"}, [&] { await(waiter); });
    lock->holder = &holder.event();
    std::string report;
    try {
      await(holder);
    } catch (const DeadlockError& error) {
      report = error.what();
    }
    EXPECT_HAS(report, "#3 \"holder\" → #2 \"waiter\" → #3 \"holder\"");
    lock->fire();
  });
}

// DLK-01 DL-01 SUS-06
TEST_P(Deadlock, MainMayCatchErrorAndContinue) {
  const int result = run([] {
    auto event = ManualEvent::make();
    auto waiter = spawn([&] {
      wait_for(*event);
      return 6;
    });
    EXPECT_THROW(await(waiter), DeadlockError);
    EXPECT_EQ(statistics().deadlocks, 1u);
    delay(1ms);
    event->fire();
    return await(waiter);
  });
  EXPECT_EQ(result, 6);
}

TEST_P(Deadlock, IsReportedAgainIfNotResolved) {
  run([] {
    auto event = ManualEvent::make();
    for (unsigned i = 1; i <= 3; ++i) {
      EXPECT_THROW(wait_for(*event), DeadlockError);
      EXPECT_EQ(statistics().deadlocks, i);
    }
    EXPECT_EQ(event->starts, 3);
    EXPECT_EQ(event->stops, 3);
  });
}

// DLK-01 DL-03
TEST_P(Deadlock, DeadlockAfterMainReturnedIsThrownByRun) {
  int cleaned_up = 0;
  std::string report;
  try {
    run([&] {
      auto never = ManualEvent::make("a lost event");
      spawn({.name = "still waiting"}, [&cleaned_up, never] {
        try {
          wait_for(*never);
        } catch (const Cancelled&) {
          delay(1ms);
          ++cleaned_up;
          throw;
        }
      });
    });
    ADD_FAILURE() << "run() must throw";
  } catch (const DeadlockError& error) {
    report = error.what();
  }
  EXPECT_HAS(report, "\"still waiting\"");
  EXPECT_HAS(report, "waits for a lost event");
  EXPECT_EQ(cleaned_up, 1) << "the remaining coroutine is shut down gracefully";
  EXPECT_EQ(runtime().statistics().deadlocks, 1u);
}

// DL-03
TEST_P(Deadlock, UncaughtErrorIsThrownByRun) {
  EXPECT_THROW(run([] { wait_for(*ManualEvent::make()); }), DeadlockError);
}

// DL-02 EVT-05
TEST_P(Deadlock, BackgroundEventDoesNotHideDeadlock) {
  run([] {
    Trigger background;
    background.event().set_background();
    auto watcher = spawn([&] { background.wait(); });
    auto never = ManualEvent::make();
    EXPECT_THROW(wait_for(*never), DeadlockError);
    watcher.cancel();
  });
}

// DL-02 EVT-05
TEST_P(Deadlock, BackgroundEventDoesNotKeepProgramAlive) {
  // Main has returned and run() waits for the remaining coroutine.
  EXPECT_THROW(run([] {
                 auto background = std::make_shared<Trigger>();
                 background->event().set_background();
                 spawn([background] { background->wait(); });
               }),
               DeadlockError);
}

}  // namespace
}  // namespace trueasync::test
