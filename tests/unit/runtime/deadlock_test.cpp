// The deadlock error: what it says, who gets it, and how the program goes on.
#include <gtest/gtest.h>

#include "manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Deadlock : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(Deadlock);

std::string line(std::uint_least32_t number) { return "deadlock_test.cpp:" + std::to_string(number); }

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (part) << " is missing in\n" << (text)

TEST_P(Deadlock, ReportNamesEveryCoroutineItsPlacesAndWhatItWaitsFor) {
  // DLK-01 DL-01
  run([] {
    auto never = ManualEvent::make("the answer of nobody");
    const auto spawned = SourceLocation::current().line() + 1;
    auto asker = spawn({.name = "asker"}, [&] { wait_for(*never); });
    std::string report;
    const auto suspended = SourceLocation::current().line() + 2;
    try {
      await(asker);
    } catch (const DeadlockError& error) {
      report = error.what();
    }
    EXPECT_HAS(report, "#1 \"main\": suspended");
    EXPECT_HAS(report, "#2 \"asker\": suspended");
    EXPECT_HAS(report, "spawned at " + line(spawned));
    EXPECT_HAS(report, "suspended at " + line(suspended));
    EXPECT_HAS(report, "suspended at " + line(spawned));
    EXPECT_HAS(report, "waits for coroutine #2 \"asker\"");
    EXPECT_HAS(report, "waits for the answer of nobody");
    EXPECT_EQ(report.find("wait cycle"), std::string::npos) << "there is no cycle here";
    asker.cancel();
  });
}

TEST_P(Deadlock, RingIsSpelledOut) {
  // DLK-01 DL-01
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

TEST_P(Deadlock, RingThroughAnEventThatKnowsItsHolder) {
  // DLK-01
  run([] {
    auto lock = ManualEvent::make("a lock");
    Task<void> holder;
    auto waiter = spawn({.name = "waiter"}, [&] { wait_for(*lock); });
    holder = spawn({.name = "holder"}, [&] { await(waiter); });
    lock->held_by = &holder.event();
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

TEST_P(Deadlock, MainCatchesItAndTheProgramGoesOn) {
  // DLK-01 DL-01 SUS-06
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

TEST_P(Deadlock, ComesAgainWhenNothingWasDoneAboutIt) {
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

TEST_P(Deadlock, WhileMainDrainsItGoesOutOfRun) {
  // DLK-01 DL-03
  int cleaned = 0;
  std::string report;
  try {
    run([&] {
      auto never = ManualEvent::make("something lost");
      spawn({.name = "left behind"}, [&cleaned, never] {
        try {
          wait_for(*never);
        } catch (const Cancelled&) {
          delay(1ms);
          ++cleaned;
          throw;
        }
      });
    });
    ADD_FAILURE() << "run must throw";
  } catch (const DeadlockError& error) {
    report = error.what();
  }
  EXPECT_HAS(report, "\"left behind\"");
  EXPECT_HAS(report, "waits for something lost");
  EXPECT_EQ(cleaned, 1) << "the others are shut down gracefully";
  EXPECT_EQ(runtime().statistics().deadlocks, 1u);
}

TEST_P(Deadlock, ErrorThatMainDoesNotCatchGoesOutOfRun) {
  // DL-03
  EXPECT_THROW(run([] { wait_for(*ManualEvent::make()); }), DeadlockError);
}

TEST_P(Deadlock, HiddenEventsDoNotMaskIt) {
  // DL-02 EVT-05
  run([] {
    Trigger background;
    background.event().set_background();
    auto watcher = spawn([&] { background.wait(); });
    auto never = ManualEvent::make();
    EXPECT_THROW(wait_for(*never), DeadlockError);
    watcher.cancel();
  });
}

TEST_P(Deadlock, HiddenEventsDoNotKeepTheProgramAlive) {
  // DL-02 EVT-05: the same while main only waits for the others.
  EXPECT_THROW(run([] {
                 auto background = std::make_shared<Trigger>();
                 background->event().set_background();
                 spawn([background] { background->wait(); });
               }),
               DeadlockError);
}

}  // namespace
}  // namespace trueasync::test
