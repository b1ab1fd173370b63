// The Cancelled object itself: it may be copied, kept, and outlive everything.
#include <gtest/gtest.h>

#include <optional>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class CancelledObject : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CancelledObject);

TEST_P(CancelledObject, NamesTheCoroutine) {
  run([] {
    std::string text;
    auto task = spawn({.name = "fetch"}, [&] {
      try {
        delay(24h);
      } catch (const Cancelled& cancelled) {
        text = cancelled.what();
        throw;
      }
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_NE(text.find("\"fetch\""), std::string::npos) << text;
  });
}

// CA-11
TEST_P(CancelledObject, OutlivesItsCoroutineAndItsRuntime) {
  std::exception_ptr kept;
  std::optional<Cancelled> copy;
  {
    auto runtime = make_runtime(GetParam());
    runtime->run([&] {
      auto task = spawn([&] {
        try {
          delay(24h);
        } catch (const Cancelled& cancelled) {
          kept = std::current_exception();
          copy.emplace(cancelled);
          throw;
        }
      });
      yield();
      task.cancel();
      EXPECT_THROW(await(task), Cancelled);
    });
    expect_no_leaks(*runtime);
  }
  EXPECT_NE(std::string(copy->what()).find("was cancelled"), std::string::npos);
  try {
    std::rethrow_exception(kept);
  } catch (const Cancelled& cancelled) {
    EXPECT_STREQ(cancelled.what(), copy->what());
  }
  kept = nullptr;
  copy.reset();
}

// CA-11
TEST_P(CancelledObject, CanBeRethrownInAnotherCoroutine) {
  // There it ends the one that throws it, and nobody else.
  run([] {
    std::exception_ptr kept;
    auto first = spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        kept = std::current_exception();
        throw;
      }
    });
    yield();
    first.cancel();
    EXPECT_THROW(await(first), Cancelled);
    auto second = spawn([&] { std::rethrow_exception(kept); });
    EXPECT_THROW(await(second), Cancelled);
    EXPECT_TRUE(second.is_cancelled());
    auto third = spawn([] {
      yield();
      return 1;
    });
    EXPECT_EQ(await(third), 1);
  });
}

// CA-01
TEST_P(CancelledObject, WhileACopyIsKeptTheCoroutineCountsAsCleaningUp) {
  // What cancel.hpp promises – the request comes again when the last Cancelled is gone.
  run([] {
    int suspensions = 0;
    auto task = spawn([&] {
      std::exception_ptr kept;
      try {
        delay(24h);
      } catch (const Cancelled&) {
        kept = std::current_exception();
      }
      yield();
      ++suspensions;
      kept = nullptr;
      yield();
      ++suspensions;
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(suspensions, 1);
  });
}

// R2
TEST_P(CancelledObject, TaskMayBeLetGoWhileItIsAwaited) {
  // The one who waits keeps the result, whoever else lets the task go.
  run([] {
    auto task = std::make_unique<Task<std::string>>(spawn([] {
      delay(1ms);
      return std::string("kept for the one who waits");
    }));
    auto stopped = std::make_unique<Task<void>>(spawn([] { delay(24h); }));
    auto waiter = spawn([&] { return await(*task); });
    auto told = spawn([&] { await(*stopped); });
    yield();
    task.reset();
    stopped->cancel();
    stopped.reset();
    EXPECT_EQ(await(waiter), "kept for the one who waits");
    EXPECT_THROW(await(told), Cancelled);
  });
}

TEST_P(CancelledObject, HandlesOutliveTheRuntime) {
  Task<std::string> value;
  Coroutine cancelled;
  {
    auto runtime = make_runtime(GetParam());
    runtime->run([&] {
      value = spawn([] { return std::string("kept after the end"); });
      auto task = spawn([] { delay(24h); });
      yield();
      task.cancel();
      cancelled = task.coroutine();
    });
  }
  EXPECT_EQ(await(value), "kept after the end");
  EXPECT_TRUE(cancelled.is_finished());
  EXPECT_TRUE(cancelled.is_cancelled());
  EXPECT_FALSE(cancelled.cancel());
}

}  // namespace
}  // namespace trueasync::test
