// Microtasks (MIC-01…03).
#include <stdexcept>

#include "trueasync/microtask.hpp"
#include "unit/scheduler/manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Microtasks : public ReactorTest {};

// One of the test's own, without allocation; logs its letter.
struct Logged : Microtask {
  Logged(std::string& text, char letter_) : log(text), letter(letter_) {
    handler = [](Microtask& self) noexcept -> std::exception_ptr {
      auto& task = static_cast<Logged&>(self);
      task.log += task.letter;
      return task.fails ? std::make_exception_ptr(std::runtime_error(std::string(1, task.letter))) : nullptr;
    };
    destructor = [](Microtask& self) noexcept { ++static_cast<Logged&>(self).destroyed; };
  }
  std::string& log;
  char letter;
  bool fails = false;
  int destroyed = 0;
};

// MIC-01
TEST_P(Microtasks, RunInTheCurrentContextFirstInFirstOutBeforeTheSwitch) {
  run([] {
    std::string log;
    auto other = spawn([&] { log += 'c'; });
    const Coroutine self = current_coroutine();
    for (char letter : {'1', '2', '3'}) {
      queue_microtask([&, letter] {
        log += letter;
        EXPECT_EQ(current_coroutine(), self);
      });
    }
    const Statistics before = statistics();
    yield();
    EXPECT_EQ(log, "123c");
    EXPECT_EQ((statistics() - before).microtasks, 3u);
    EXPECT_EQ((statistics() - before).switches, 2u);
  });
}

// MIC-01
TEST_P(Microtasks, RunAlsoBeforeTheSwitchAtACoroutinesEnd) {
  run([] {
    std::string log;
    spawn([&] {
      queue_microtask([&] { log += 'm'; });
      log += 'a';
    });
    spawn([&] { log += 'b'; });
    yield();
    EXPECT_EQ(log, "amb");
  });
}

// MIC-01
TEST_P(Microtasks, RunWhenNobodyElseIsReady) {
  // Also on the way to an empty queue, and what they wake runs.
  run([] {
    auto event = ManualEvent::make();
    queue_microtask([&] { event->fire(5); });
    WaitEntry entry(*event);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    EXPECT_EQ(wait(request), WakeReason::event);
    EXPECT_EQ(entry.result.value, 5u);
  });
}

// MIC-02
TEST_P(Microtasks, DropOneReferenceAfterTheRunAndDieExactlyOnce) {
  std::string log;
  Logged kept(log, 'k');
  Logged given(log, 'g');
  run([&] {
    queue_microtask(kept);
    queue_microtask(given);
    EXPECT_EQ(kept.references, 2u);
    given.release();  // the queue has the last one
    EXPECT_EQ(given.destroyed, 0);
    yield();
    EXPECT_EQ(log, "kg");
    EXPECT_EQ(kept.references, 1u);
    EXPECT_EQ(kept.destroyed, 0);
    EXPECT_EQ(given.destroyed, 1);
    queue_microtask(kept);  // it may be queued again
    yield();
    EXPECT_EQ(log, "kgk");
  });
  kept.release();
  EXPECT_EQ(kept.destroyed, 1);
  EXPECT_EQ(given.destroyed, 1);
}

// MIC-02
TEST_P(Microtasks, ACancelledOneLeavesTheQueueWithoutRunning) {
  std::string log;
  Logged first(log, '1');
  Logged cancelled(log, 'x');
  Logged last(log, '3');
  run([&] {
    for (Logged* task : {&first, &cancelled, &last}) {
      queue_microtask(*task);
      task->release();
    }
    cancelled.cancelled = true;
    const Statistics before = statistics();
    yield();
    EXPECT_EQ(log, "13");
    EXPECT_EQ((statistics() - before).microtasks, 2u);
    EXPECT_EQ(cancelled.destroyed, 1);
  });
  for (Logged* task : {&first, &cancelled, &last}) EXPECT_EQ(task->destroyed, 1);
}

// MIC-02 SHU-03
TEST_P(Microtasks, WhatIsLeftAtTheEndDiesExactlyOnce) {
  std::string log;
  Logged left(log, 'l');
  run([&] {
    queue_microtask(left);
    left.release();
  });
  EXPECT_EQ(left.destroyed, 1);
}

// MIC-03
TEST_P(Microtasks, OneThatThrowsInterruptsAndTheRestStaysInOrder) {
  std::vector<std::string> told;
  RuntimeOptions options;
  options.on_unhandled = [&](const Coroutine&, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::runtime_error& e) {
      told.push_back(e.what());
    }
    return true;
  };
  run(
      [&] {
        std::string log;
        spawn([&] { log += 'c'; });
        queue_microtask([&] { log += '1'; });
        queue_microtask([&] {
          log += 'x';
          throw std::runtime_error("x");
        });
        queue_microtask([&] { log += '2'; });
        queue_microtask([&] { log += '3'; });
        yield();
        // The tick that was interrupted went on with the coroutine; its end was the next tick.
        EXPECT_EQ(log, "1xc23");
      },
      options);
  EXPECT_EQ(told, std::vector<std::string>{"x"});
}

// MIC-03 SHU-01
TEST_P(Microtasks, TheErrorOfOneThatNobodyHandlesShutsTheRuntimeDown) {
  std::string log;
  Logged bad(log, 'b');
  Logged rest(log, 'r');
  bad.fails = true;
  bool cleaned_up = false;
  try {
    run([&] {
      spawn([&] {
        struct Cleanup {
          bool& done;
          ~Cleanup() { done = true; }
        } cleanup{cleaned_up};
        delay(1h);
      });
      yield();
      for (Logged* task : {&bad, &rest}) {
        queue_microtask(*task);
        task->release();
      }
      delay(1h);
      FAIL() << "main was not cancelled";
    });
    FAIL() << "the error did not come out of run()";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "b");
  }
  EXPECT_TRUE(cleaned_up);
  EXPECT_EQ(log, "br");
  EXPECT_EQ(bad.destroyed, 1);
  EXPECT_EQ(rest.destroyed, 1);
}

// MIC-01
TEST_P(Microtasks, MustNotSuspend) {
  // A clear error instead of a switch inside a tick.
  run([] {
    std::string told;
    queue_microtask([&] {
      try {
        yield();
      } catch (const MisuseError& error) {
        told = error.what();
      }
    });
    yield();
    EXPECT_NE(told.find("a microtask"), std::string::npos) << told;
    EXPECT_NE(told.find("microtask_test.cpp"), std::string::npos) << told;
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Microtasks);

}  // namespace
}  // namespace trueasync::test
