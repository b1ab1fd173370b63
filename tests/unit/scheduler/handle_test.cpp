// Task and Coroutine handles: lifetime, results, comparison.
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Handles : public ReactorTest {};

struct NumberedError : std::runtime_error {
  explicit NumberedError(int number_) : std::runtime_error("numbered"), number(number_) {}
  int number;
};

TEST_P(Handles, OutliveStackAndRuntime) {
  Task<std::string> succeeded;
  Task<void> failed;
  Coroutine untyped;
  {
    RuntimeOptions options;
    options.on_unhandled = [](const Coroutine&, std::exception_ptr) { return true; };
    auto runtime = make_runtime(GetParam(), options);
    runtime->run([&] {
      succeeded = spawn({.name = "succeeded"}, [] {
        yield();
        return std::string("result");
      });
      failed = spawn([] { throw NumberedError(3); });
      auto cancelled = spawn([] { delay(1h); });
      untyped = cancelled.coroutine();
      yield();
      cancelled.cancel();
    });
    EXPECT_EQ(await(succeeded), "result");  // a finished task needs no runtime
    expect_no_leaks(*runtime);
  }
  EXPECT_TRUE(succeeded.is_finished());
  EXPECT_EQ(succeeded.coroutine().name(), "succeeded");
  EXPECT_EQ(succeeded.coroutine().state(), CoroutineState::finished);
  EXPECT_EQ(await(succeeded), "result");
  EXPECT_EQ(await(std::move(succeeded)), "result");
  EXPECT_THROW(await(failed), NumberedError);
  EXPECT_TRUE(untyped.is_cancelled());
  EXPECT_FALSE(untyped.cancel());
  EXPECT_TRUE(untyped.wait_description().empty());
}

// AW-03 R3
TEST_P(Handles, EveryAwaiterGetsErrorWithItsType) {
  run([] {
    auto task = spawn([]() -> int {
      delay(1ms);
      throw NumberedError(17);
    });
    std::vector<Task<int>> awaiters;
    for (int i = 0; i < 5; ++i) {
      awaiters.push_back(spawn([&] {
        try {
          return await(task);
        } catch (const NumberedError& error) {
          return error.number;
        }
      }));
    }
    for (auto& awaiter : awaiters) EXPECT_EQ(await(awaiter), 17);
    // A later await gets the error as well.
    EXPECT_THROW(await(task), NumberedError);
  });
}

TEST_P(Handles, AnyTypeMayBeThrown) {
  run([] {
    auto task = spawn([] { throw 5; });
    try {
      await(task);
      FAIL() << "nothing was thrown";
    } catch (int number) {
      EXPECT_EQ(number, 5);
    }
  });
}

TEST_P(Handles, CancelledTaskDoesNotCancelAwaiter) {
  run([] {
    auto task = spawn([] { delay(1h); });
    auto awaiter = spawn([&] {
      try {
        await(task);
      } catch (const Cancelled& cancelled) {
        yield();  // does not throw: the awaiter is not cancelled
        return std::string(cancelled.what());
      }
      return std::string();
    });
    yield();
    task.cancel();
    EXPECT_NE(await(awaiter).find("#" + std::to_string(task.id())), std::string::npos);
    EXPECT_FALSE(awaiter.is_cancelled());
  });
}

TEST_P(Handles, CoroutineCannotAwaitItself) {
  run([] {
    Coroutine self;
    auto task = spawn([&] {
      self = current_coroutine();
      EXPECT_THROW(await(self), MisuseError);
    });
    await(task);
  });
}

TEST_P(Handles, DestroyingTaskKeepsCoroutineRunning) {
  bool finished = false;
  run([&] {
    spawn([&] {
      delay(2ms);
      finished = true;
    });
  });
  EXPECT_TRUE(finished);
}

TEST_P(Handles, RunReturnsMainResultAfterAllCoroutinesFinished) {
  bool finished = false;
  EXPECT_EQ(*run([&] {
    spawn([&] {
      for (int i = 0; i < 10; ++i) yield();
      finished = true;
    });
    return std::make_unique<int>(8);
  }),
            8);
  EXPECT_TRUE(finished);
}

TEST_P(Handles, MayBeComparedAndCopied) {
  run([] {
    auto task = spawn([] {});
    Coroutine first = task.coroutine();
    Coroutine second = first;
    EXPECT_TRUE(first == second);
    EXPECT_FALSE(first == current_coroutine());
    second = Coroutine();
    EXPECT_FALSE(second);
    Coroutine third = std::move(first);
    EXPECT_FALSE(first);  // NOLINT: moved from on purpose
    EXPECT_EQ(third.id(), task.id());
    EXPECT_NE(task.id(), spawn([] {}).id());
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Handles);

}  // namespace
}  // namespace trueasync::test
