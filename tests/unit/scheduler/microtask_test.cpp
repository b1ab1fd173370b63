// Microtasks: order, ownership and errors.
#include <stdexcept>

#include "scheduler_fixture.hpp"
#include "trueasync/host.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Microtasks : public ReactorTest {};

// A user-defined microtask. It appends its letter to the log and fails on request.
struct LoggingMicrotask : Microtask {
  LoggingMicrotask(std::string& log_, char letter_) : log(log_), letter(letter_) {
    handler = [](Microtask& self) noexcept -> std::exception_ptr {
      auto& task = static_cast<LoggingMicrotask&>(self);
      task.log += task.letter;
      return task.fails ? std::make_exception_ptr(std::runtime_error(std::string(1, task.letter))) : nullptr;
    };
    destructor = [](Microtask& self) noexcept { ++static_cast<LoggingMicrotask&>(self).destroyed; };
  }
  std::string& log;
  char letter;
  bool fails = false;
  int destroyed = 0;
};

// MIC-01
TEST_P(Microtasks, RunInFifoOrderBeforeSwitch) {
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
TEST_P(Microtasks, RunBeforeSwitchOfFinishingCoroutine) {
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
TEST_P(Microtasks, RunWhenReadyQueueIsEmpty) {
  // The coroutine that the microtask wakes is resumed.
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
TEST_P(Microtasks, QueueReleasesOneReferenceAfterRun) {
  std::string log;
  LoggingMicrotask referenced(log, '1');
  LoggingMicrotask released(log, '2');
  run([&] {
    queue_microtask(referenced);
    queue_microtask(released);
    EXPECT_EQ(referenced.references, 2u);
    released.release();  // the queue has the last reference
    EXPECT_EQ(released.destroyed, 0);
    yield();
    EXPECT_EQ(log, "12");
    EXPECT_EQ(referenced.references, 1u);
    EXPECT_EQ(referenced.destroyed, 0);
    EXPECT_EQ(released.destroyed, 1);
    queue_microtask(referenced);  // may be queued again
    yield();
    EXPECT_EQ(log, "121");
  });
  referenced.release();
  EXPECT_EQ(referenced.destroyed, 1);
  EXPECT_EQ(released.destroyed, 1);
}

// MIC-02
TEST_P(Microtasks, CancelledMicrotaskDoesNotRun) {
  std::string log;
  LoggingMicrotask first(log, '1');
  LoggingMicrotask cancelled(log, 'x');
  LoggingMicrotask last(log, '3');
  run([&] {
    for (LoggingMicrotask* task : {&first, &cancelled, &last}) {
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
  for (LoggingMicrotask* task : {&first, &cancelled, &last}) EXPECT_EQ(task->destroyed, 1);
}

// MIC-02 SHU-03
TEST_P(Microtasks, PendingMicrotaskIsDestroyedOnceAtEnd) {
  std::string log;
  LoggingMicrotask pending(log, 'p');
  run([&] {
    queue_microtask(pending);
    pending.release();
  });
  EXPECT_EQ(pending.destroyed, 1);
}

// MIC-03
TEST_P(Microtasks, ErrorDefersRemainingMicrotasksToNextTick) {
  std::vector<std::string> unhandled;
  RuntimeOptions options;
  options.on_unhandled = [&](const Coroutine&, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::runtime_error& e) {
      unhandled.push_back(e.what());
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
        // The error ends the microtasks of this tick, then the coroutine runs. The remaining ones run in the next tick.
        EXPECT_EQ(log, "1xc23");
      },
      options);
  EXPECT_EQ(unhandled, std::vector<std::string>{"x"});
}

// MIC-03 SHU-01
TEST_P(Microtasks, UnhandledErrorShutsRuntimeDown) {
  std::string log;
  LoggingMicrotask bad(log, 'b');
  LoggingMicrotask next(log, 'n');
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
      for (LoggingMicrotask* task : {&bad, &next}) {
        queue_microtask(*task);
        task->release();
      }
      delay(1h);
      FAIL() << "main was not cancelled";
    });
    FAIL() << "run() did not throw the error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "b");
  }
  EXPECT_TRUE(cleaned_up);
  EXPECT_EQ(log, "bn");
  EXPECT_EQ(bad.destroyed, 1);
  EXPECT_EQ(next.destroyed, 1);
}

// MIC-01
TEST_P(Microtasks, MustNotSuspend) {
  run([] {
    std::string message;
    queue_microtask([&] {
      try {
        yield();
      } catch (const MisuseError& error) {
        message = error.what();
      }
    });
    yield();
    EXPECT_NE(message.find("a microtask"), std::string::npos) << message;
    EXPECT_NE(message.find("microtask_test.cpp"), std::string::npos) << message;
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Microtasks);

}  // namespace
}  // namespace trueasync::test
