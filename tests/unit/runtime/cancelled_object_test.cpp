// The exception object Cancelled: message, copies and lifetime.
#include <gtest/gtest.h>

#include <optional>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class CancelledObject : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CancelledObject);

TEST_P(CancelledObject, MessageNamesCoroutine) {
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
TEST_P(CancelledObject, OutlivesCoroutineAndRuntime) {
  std::exception_ptr stored;
  std::optional<Cancelled> copy;
  {
    auto runtime = make_runtime(GetParam());
    runtime->run([&] {
      auto task = spawn([&] {
        try {
          delay(24h);
        } catch (const Cancelled& cancelled) {
          stored = std::current_exception();
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
    std::rethrow_exception(stored);
  } catch (const Cancelled& cancelled) {
    EXPECT_STREQ(cancelled.what(), copy->what());
  }
  stored = nullptr;
  copy.reset();
}

// CA-11
TEST_P(CancelledObject, MayBeRethrownInAnotherCoroutine) {
  // It ends only the coroutine that rethrows it.
  run([] {
    std::exception_ptr stored;
    auto first = spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        stored = std::current_exception();
        throw;
      }
    });
    yield();
    first.cancel();
    EXPECT_THROW(await(first), Cancelled);
    auto second = spawn([&] { std::rethrow_exception(stored); });
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
TEST_P(CancelledObject, StoredCopyDefersSecondDelivery) {
  // Cancellation is delivered again only after the last copy of Cancelled is destroyed (contract of cancel.hpp).
  run([] {
    int suspensions = 0;
    auto task = spawn([&] {
      std::exception_ptr stored;
      try {
        delay(24h);
      } catch (const Cancelled&) {
        stored = std::current_exception();
      }
      yield();
      ++suspensions;
      stored = nullptr;
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
TEST_P(CancelledObject, TaskMayBeDestroyedWhileAwaited) {
  // The waiter keeps the result alive.
  run([] {
    auto task = std::make_unique<Task<std::string>>(spawn([] {
      delay(1ms);
      return std::string("kept by the waiter");
    }));
    auto cancelled = std::make_unique<Task<void>>(spawn([] { delay(24h); }));
    auto waiter = spawn([&] { return await(*task); });
    auto second_waiter = spawn([&] { await(*cancelled); });
    yield();
    task.reset();
    cancelled->cancel();
    cancelled.reset();
    EXPECT_EQ(await(waiter), "kept by the waiter");
    EXPECT_THROW(await(second_waiter), Cancelled);
  });
}

TEST_P(CancelledObject, HandlesOutliveRuntime) {
  Task<std::string> value;
  Coroutine cancelled;
  {
    auto runtime = make_runtime(GetParam());
    runtime->run([&] {
      value = spawn([] { return std::string("kept by the handle"); });
      auto task = spawn([] { delay(24h); });
      yield();
      task.cancel();
      cancelled = task.coroutine();
    });
  }
  EXPECT_EQ(await(value), "kept by the handle");
  EXPECT_TRUE(cancelled.is_finished());
  EXPECT_TRUE(cancelled.is_cancelled());
  EXPECT_FALSE(cancelled.cancel());
}

}  // namespace
}  // namespace trueasync::test
