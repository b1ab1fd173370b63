// Handles: they outlive stack and runtime, and await gives back exactly what happened (ST-10, R3).
#include "unit/scheduler/manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Handles : public ReactorTest {};

struct Special : std::runtime_error {
  explicit Special(int number_) : std::runtime_error("special"), number(number_) {}
  int number;
};

TEST_P(Handles, OutliveTheStackAndTheRuntime) {
  Task<std::string> kept;
  Task<void> failed;
  Coroutine untyped;
  {
    RuntimeOptions options;
    options.on_unhandled = [](const Coroutine&, std::exception_ptr) { return true; };
    auto runtime = make_runtime(GetParam(), options);
    runtime->run([&] {
      kept = spawn({.name = "kept"}, [] {
        yield();
        return std::string("result");
      });
      failed = spawn([] { throw Special(3); });
      auto cancelled = spawn([] { delay(1h); });
      untyped = cancelled.coroutine();
      yield();
      cancelled.cancel();
    });
    EXPECT_EQ(await(kept), "result");  // finished: needs no runtime
    expect_no_leaks(*runtime);
  }
  EXPECT_TRUE(kept.is_finished());
  EXPECT_EQ(kept.coroutine().name(), "kept");
  EXPECT_EQ(kept.coroutine().state(), CoroutineState::finished);
  EXPECT_EQ(await(kept), "result");
  EXPECT_EQ(await(std::move(kept)), "result");
  EXPECT_THROW(await(failed), Special);
  EXPECT_TRUE(untyped.is_cancelled());
  EXPECT_FALSE(untyped.cancel());
  EXPECT_TRUE(untyped.wait_description().empty());
}

// R3
TEST_P(Handles, AnErrorComesOutOfAwaitWithItsTypeForEveryAwaiter) {
  run([] {
    auto task = spawn([]() -> int {
      delay(1ms);
      throw Special(17);
    });
    std::vector<Task<int>> awaiters;
    for (int i = 0; i < 5; ++i) {
      awaiters.push_back(spawn([&] {
        try {
          return await(task);
        } catch (const Special& special) {
          return special.number;
        }
      }));
    }
    for (auto& awaiter : awaiters) EXPECT_EQ(await(awaiter), 17);
    // And again, later (AW-03).
    EXPECT_THROW(await(task), Special);
  });
}

TEST_P(Handles, AnythingMayBeThrown) {
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

TEST_P(Handles, ACancelledOneTellsItsAwaiterWithoutCancellingIt) {
  run([] {
    auto task = spawn([] { delay(1h); });
    auto awaiter = spawn([&] {
      try {
        await(task);
      } catch (const Cancelled& cancelled) {
        yield();  // the awaiter itself goes on
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

TEST_P(Handles, ACoroutineCantAwaitItself) {
  run([] {
    Coroutine self;
    auto task = spawn([&] {
      self = current_coroutine();
      EXPECT_THROW(await(self), MisuseError);
    });
    await(task);
  });
}

TEST_P(Handles, DroppingATaskLeavesTheCoroutineRunning) {
  bool finished = false;
  run([&] {
    spawn([&] {
      delay(2ms);
      finished = true;
    });
  });
  EXPECT_TRUE(finished);
}

TEST_P(Handles, RunReturnsTheResultOfMainWhenEverythingIsOver) {
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

TEST_P(Handles, CompareAndCopy) {
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
