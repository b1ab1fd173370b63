// Graceful shutdown: what starts it, and the order of its steps.
#include <gtest/gtest.h>

#include "manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using Steps = std::vector<std::string>;

class Shutdown : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(Shutdown);

// Waits for ever; says when it was cancelled and when its cleanup, which suspends, was over.
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
TEST_P(Shutdown, UnhandledErrorOfACoroutineStartsIt) {
  Steps steps;
  EXPECT_THROW(run([&] {
                 spawn([&] { worker("a", steps); });
                 spawn([&] { worker("b", steps); });
                 spawn([] {
                   delay(1ms);
                   throw std::out_of_range("nobody awaits this");
                 });
                 worker("main", steps);
               }),
               std::out_of_range);
  EXPECT_EQ(std::count(steps.begin(), steps.end(), "main cleaned up"), 1);
  EXPECT_EQ(steps.size(), 6u) << "all three were cancelled and cleaned up";
}

// SHU-01
TEST_P(Shutdown, ErrorOutOfMainStartsIt) {
  Steps steps;
  EXPECT_THROW(run([&] {
                 spawn([&] { worker("a", steps); });
                 yield();
                 throw std::length_error("main is done for");
               }),
               std::length_error);
  EXPECT_EQ(steps, (Steps{"a cancelled", "a cleaned up"}));
}

// SHU-01
TEST_P(Shutdown, AskedForAgainItReachesThoseThatWereSpawnedSince) {
  Steps steps;
  run([&] {
    shut_down();
    try {
      yield();
    } catch (const Cancelled&) {
      spawn([&] { worker("spawned since", steps); });
      yield();
    }
    shut_down();
  });
  EXPECT_EQ(steps, (Steps{"spawned since cancelled", "spawned since cleaned up"}));
}

// SHU-01
TEST_P(Shutdown, ExplicitCallStartsItAndReturnsAtOnce) {
  Steps steps;
  run([&] {
    spawn([&] { worker("a", steps); });
    yield();
    shut_down();
    steps.push_back("asked");
  });
  EXPECT_EQ(steps, (Steps{"asked", "a cancelled", "a cleaned up"}));
}

// SHU-01
TEST_P(Shutdown, ExplicitCallFromACoroutineCancelsItsCallerToo) {
  Steps steps;
  EXPECT_THROW(run([&] {
                 spawn([&] {
                   shut_down();
                   steps.push_back("asked");
                   worker("caller", steps);
                 });
                 delay(24h);
               }),
               Cancelled)
      << "main was cut short, and says so";
  EXPECT_EQ(steps, (Steps{"asked", "caller cancelled", "caller cleaned up"}));
}

// SHU-01
TEST_P(Shutdown, FlagThenCancellationThenCleanupThenTheRest) {
  Steps steps;
  run([&] {
    detail::Scheduler& inside = *detail::Scheduler::current();
    auto task = spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        steps.push_back(inside.is_shutting_down() ? "flag before cancellation" : "no flag");
        yield();
        steps.push_back("cleanup suspended and went on");
        queue_microtask([&] { steps.push_back("microtask of the cleanup"); });
        throw;
      }
    });
    yield();
    EXPECT_FALSE(inside.is_shutting_down());
    shut_down();
    EXPECT_TRUE(inside.is_shutting_down());
  });
  EXPECT_EQ(steps, (Steps{"flag before cancellation", "cleanup suspended and went on", "microtask of the cleanup"}));
}

// SHU-01 SH-05
TEST_P(Shutdown, WhatHasNotStartedNeverDoes) {
  // What waits in the queue is finalised, whichever way it came there.
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
  int helped = 0;
  run([&] {
    spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        helped = await(spawn([] {
          delay(1ms);
          return 8;
        }));
        throw;
      }
    });
    yield();
    shut_down();
  });
  EXPECT_EQ(helped, 8);
}

TEST_P(Shutdown, MainMayFinishItsWorkAndReturnAValue) {
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
TEST_P(Shutdown, RealErrorIsNotHiddenByMainsCancellation) {
  // The cleanup fails after main was cancelled; that error is the one to know.
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
TEST_P(Shutdown, SecondRunAfterAFailedOneIsAsGoodAsNew) {
  auto again = make_runtime(GetParam());
  for (int round = 0; round < 3; ++round) {
    EXPECT_THROW(again->run([] {
      spawn([] { delay(24h); });
      spawn([] { throw std::runtime_error("x"); });
      delay(24h);
    }),
                 std::runtime_error);
    expect_no_leaks(*again);
    EXPECT_EQ(again->run([] {
      return await(spawn([] {
        delay(1ms);
        return 1;
      }));
    }),
              1);
    expect_no_leaks(*again);
  }
}

// SHU-03 SH-01
TEST_P(Shutdown, LedgerIsEmptyWhateverWasGoingOn) {
  // The fixture looks at it after every run; here with one of everything in flight.
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
