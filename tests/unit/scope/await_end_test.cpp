// The await functions over ranges: early ends, pending tasks, and which errors count as observed.
#include "trueasync/scope/await.hpp"

#include "unit/scope/generator.hpp"
#include "unit/scope/task_helpers.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class AwaitEndTest : public ReactorTest {};

TEST_P(AwaitEndTest, AllOrFailEndsAtFirstError) {
  run([] {
    auto tasks = list(after(1h, 1), failing_after(1ms, "first"), failing_after(1h, "second"));
    try {
      await_all_or_fail(tasks, {.pending = PendingAction::cancel});
      ADD_FAILURE();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "first");
    }
    EXPECT_TRUE(tasks[0].coroutine().is_cancellation_requested());
  });
}

TEST_P(AwaitEndTest, CancelledTaskCountsAsError) {
  run([] {
    auto tasks = list(after(1h, 1), after(1h, 2));
    spawn([&] { tasks[1].cancel(); });
    EXPECT_THROW(await_all_or_fail(tasks), Cancelled);
    EXPECT_FALSE(tasks[0].is_finished());
    tasks[0].cancel();
    auto settled = await_all(tasks);
    EXPECT_EQ(settled.errors.size(), 2u);
    EXPECT_FALSE(await_first_success(tasks).result.has_value());
  });
}

TEST_P(AwaitEndTest, PendingTasksAreKeptUnlessCancelRequested) {
  run([] {
    auto tasks = list(after(1ms, 1), after(3ms, 2));
    EXPECT_EQ(await_any_or_fail(tasks), 1);
    EXPECT_FALSE(tasks[1].coroutine().is_cancellation_requested());
    EXPECT_EQ(await(tasks[1]), 2);
    auto more = list(after(1ms, 1), after(1h, 2));
    EXPECT_EQ(await_any_or_fail(more, {.pending = PendingAction::cancel}), 1);
    EXPECT_THROW(await(more[1]), Cancelled);
  });
}

// AW-07 CA-04
TEST_P(AwaitEndTest, ThrowingRangeLeavesNoSubscription) {
  run([] {
    auto task = after(5ms, 1);
    int count = 0;
    Generator throwing([&]() -> std::optional<Coroutine> {
      if (count++ == 1) throw std::logic_error("no more");
      return task.coroutine();
    });
    EXPECT_THROW(await_all(throwing), std::logic_error);
    EXPECT_FALSE(task.event().has_subscribers());
    EXPECT_EQ(await(task), 1);
  });
}

// CA-03 CA-04 SC-07
TEST_P(AwaitEndTest, FiredTokenUnsubscribesFromAll) {
  run([] {
    auto tasks = list(after(1h, 1), after(1h, 2));
    try {
      await_all(tasks, {}, timeout(2ms));
      ADD_FAILURE();
    } catch (const OperationCancelled& ended) {
      EXPECT_THROW(std::rethrow_exception(ended.cause()), TimeoutError);
    }
    for (auto& task : tasks) {
      EXPECT_FALSE(task.event().has_subscribers());
      EXPECT_FALSE(task.coroutine().is_cancellation_requested());
    }
    EXPECT_THROW(await_all(tasks, {.pending = PendingAction::cancel}, timeout(1ms)), OperationCancelled);
    for (auto& task : tasks) EXPECT_TRUE(task.coroutine().is_cancellation_requested());
    // A fired token has no effect if every task has finished.
    delay(1ms);
    EXPECT_EQ(await_all(tasks, {}, timeout(0ms)).errors.size(), 2u);
  });
}

// CA-04
TEST_P(AwaitEndTest, CancelledWaiterUnsubscribesFromAll) {
  run([] {
    auto tasks = list(after(1h, 1), after(1h, 2));
    auto waiter = spawn([&] { await_all(tasks, {.pending = PendingAction::cancel}); });
    yield();
    waiter.cancel();
    EXPECT_THROW(await(waiter), Cancelled);
    for (auto& task : tasks) {
      EXPECT_FALSE(task.event().has_subscribers());
      EXPECT_TRUE(task.coroutine().is_cancellation_requested());
    }
  });
}

// AW-03
TEST_P(AwaitEndTest, DeliveredErrorIsObserved) {
  run([] { EXPECT_EQ(await_all(list(failing_after(1ms), after(2ms, 1))).errors.size(), 1u); });
}

// AW-03
TEST_P(AwaitEndTest, UndeliveredErrorIsUnhandled) {
  int unhandled = 0;
  RuntimeOptions options;
  options.on_unhandled = [&](const Coroutine&, std::exception_ptr) { return ++unhandled, true; };
  run([] { EXPECT_EQ(await_any_or_fail(list(after(1ms, 1), failing_after(2ms))), 1); }, std::move(options));
  EXPECT_EQ(unhandled, 1);
}

TEST_P(AwaitEndTest, OwnCoroutineOrEmptyHandleThrows) {
  run([] {
    std::vector<Coroutine> self{current_coroutine()};
    EXPECT_THROW(await_all(self), MisuseError);
    std::vector<Task<int>> empty(1);
    EXPECT_THROW(await_all(empty), MisuseError);
  });
}

TEST_P(AwaitEndTest, DeadlockReportNamesAwaitedCoroutines) {
  run([] {
    auto awaits_itself = spawn({.name = "awaits itself"}, [] { await_all(std::vector{current_coroutine()}); });
    EXPECT_THROW(await(awaits_itself), MisuseError);
    Coroutine main = current_coroutine();
    auto cycle = spawn({.name = "cycle"}, [main] { await_all(std::vector{main}); });
    try {
      await_all(std::vector{cycle.coroutine()});
      ADD_FAILURE();
    } catch (const DeadlockError& error) {
      EXPECT_NE(std::string(error.what()).find("1 of 1 awaited: coroutine"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("→"), std::string::npos) << error.what();
    }
    cycle.cancel();
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(AwaitEndTest);

}  // namespace
}  // namespace trueasync::test
