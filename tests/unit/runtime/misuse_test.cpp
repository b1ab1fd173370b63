// MisuseError: wrong use throws it with a message that names the correct use.
#include <gtest/gtest.h>

#include <thread>

#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

template <class F>
std::string misuse_message(F&& function) {
  try {
    function();
  } catch (const MisuseError& error) {
    return error.what();
  }
  return "no MisuseError";
}

#define EXPECT_MISUSE(statement, part)                                              \
  do {                                                                              \
    const std::string message = misuse_message([&] { statement; });                 \
    EXPECT_NE(message.find(part), std::string::npos) << #statement ": " << message; \
  } while (false)

class Misuse : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(Misuse);

TEST(MisuseWithoutRuntime, EveryCallNamesTheMissingRuntime) {
  const char* kNeedsRuntime = "needs a runtime on this thread: call it inside trueasync::run()";
  EXPECT_MISUSE(yield(), kNeedsRuntime);
  EXPECT_MISUSE(delay(1ms), kNeedsRuntime);
  EXPECT_MISUSE(delay(0ms), kNeedsRuntime);
  EXPECT_MISUSE(spawn([] {}), kNeedsRuntime);
  EXPECT_MISUSE(current_coroutine(), kNeedsRuntime);
  EXPECT_MISUSE(timeout(1ms), kNeedsRuntime);
  EXPECT_MISUSE(Trigger(), kNeedsRuntime);
  EXPECT_MISUSE(protect([] {}), kNeedsRuntime);
  EXPECT_MISUSE(poll(0, Readiness::readable), kNeedsRuntime);
  EXPECT_MISUSE(queue_microtask([] {}), kNeedsRuntime);
  EXPECT_MISUSE(run_on_thread_stack([] {}), kNeedsRuntime);
  EXPECT_MISUSE(shut_down(), kNeedsRuntime);
  EXPECT_MISUSE(dump(), kNeedsRuntime);
  EXPECT_MISUSE(fork_process(), kNeedsRuntime);
}

TEST_P(Misuse, UnattachedRuntimeCannotBeDriven) {
  auto idle = make_runtime(GetParam());
  EXPECT_MISUSE(idle->run_once(), "run_once() needs a runtime that was attached by this thread");
  EXPECT_MISUSE(idle->run_until_idle(), "attached by this thread");
  EXPECT_MISUSE(idle->run_until(*ManualEvent::make()), "attached by this thread");
  EXPECT_MISUSE(idle->detach(), "attached by this thread");
  idle->shut_down();
}

TEST_P(Misuse, OnlyMainMayDriveRuntime) {
  run([&] {
    await(spawn([&] {
      EXPECT_MISUSE(runtime().run_once(), "can only be called by main");
      EXPECT_MISUSE(runtime().detach(), "can only be called by main");
      EXPECT_MISUSE(runtime().run_until(*ManualEvent::make()), "can only be called by main");
    }));
  });
}

TEST_P(Misuse, AnotherThreadCannotDriveRuntime) {
  run([&] { std::thread([&] { EXPECT_MISUSE(runtime().run_once(), "attached by this thread"); }).join(); });
}

TEST_P(Misuse, MicrotaskMustNotSuspend) {
  run([] {
    int calls = 0;
    queue_microtask([&] {
      ++calls;
      EXPECT_MISUSE(yield(), "code inside a microtask must not suspend");
      EXPECT_MISUSE(delay(1ms), "misuse_test.cpp:");
      EXPECT_MISUSE(wait_for(*ManualEvent::make()), "spawn a coroutine instead");
    });
    yield();
    EXPECT_EQ(calls, 1);
    yield();
  });
}

TEST_P(Misuse, SwitchHandlerMustNotSuspend) {
  run([] {
    int calls = 0;
    add_switch_handler([&](const Coroutine&, SwitchKind) {
      ++calls;
      EXPECT_MISUSE(yield(), "inside a switch handler");
      return calls < 2;
    });
    await(spawn([] {}));
    EXPECT_EQ(calls, 2);
  });
}

// ST-09
TEST_P(Misuse, CallOnThreadStackMustNotSuspend) {
  run([] {
    run_on_thread_stack([] { EXPECT_MISUSE(yield(), "inside a call on the thread's own stack"); });
    await(spawn([] {
      run_on_thread_stack([] { EXPECT_MISUSE(delay(1ms), "inside a call on the thread's own stack"); });
      yield();
    }));
  });
}

TEST_P(Misuse, UnhandledErrorHandlerMustNotSuspend) {
  RuntimeOptions options;
  options.on_unhandled = [](const Coroutine&, std::exception_ptr) {
    EXPECT_MISUSE(yield(), "inside the handler of unhandled errors");
    return true;
  };
  run(
      [] {
        spawn([] { throw 1; });
        yield();
      },
      options);
}

TEST_P(Misuse, DestructorOfUnstartedClosureMustNotSuspend) {
  run([] {
    int calls = 0;
    struct SuspendsInDestructor {
      explicit SuspendsInDestructor(int& calls_) : calls(calls_) {}
      int& calls;
      ~SuspendsInDestructor() {
        ++calls;
        EXPECT_MISUSE(yield(), "the destructor of a closure that never ran");
      }
    };
    auto task = spawn([suspends = std::make_unique<SuspendsInDestructor>(calls)] {});
    task.cancel();
    yield();
    EXPECT_EQ(calls, 1);
  });
}

TEST_P(Misuse, CoroutineCannotAwaitItself) {
  run([] {
    Task<void> self;
    self = spawn({.name = "self"}, [&] { EXPECT_MISUSE(await(self), "\"self\" cannot await itself"); });
    await(self);
    EXPECT_MISUSE(await(current_coroutine()), "cannot await itself");
  });
}

TEST_P(Misuse, EmptyTaskCannotBeAwaited) {
  run([] {
    Task<int> empty;
    EXPECT_MISUSE(await(empty), "moved from or never spawned");
    auto task = spawn([] { return 1; });
    auto moved = std::move(task);
    EXPECT_MISUSE(await(task), "moved from or never spawned");  // NOLINT(bugprone-use-after-move): that is the test
    EXPECT_MISUSE(task.cancel(), "coroutine handle is empty");
    EXPECT_EQ(await(std::move(moved)), 1);
  });
}

TEST_P(Misuse, ResultCannotBeMovedOutTwice) {
  run([] {
    auto task = spawn([] { return std::make_unique<int>(1); });
    Coroutine handle = task.coroutine();
    Task<std::unique_ptr<int>> same(handle);
    EXPECT_EQ(*await(std::move(task)), 1);
    EXPECT_MISUSE(await(std::move(same)), "has already been moved out");
  });
}

TEST_P(Misuse, TaskOfAnotherThreadCannotBeUsed) {
  run([&] {
    auto task = spawn([] { delay(24h); });
    yield();
    // This thread waits in join(), so the other thread causes no data race.
    std::thread([&] {
      auto other = make_runtime(GetParam());
      other->run([&] {
        EXPECT_MISUSE(await(task), "belongs to the runtime of another thread; use a Trigger");
        EXPECT_MISUSE(task.cancel(), "belongs to the runtime of another thread");
        EXPECT_MISUSE(add_switch_handler(task.coroutine(), [](auto&, auto) { return true; }), "another thread");
      });
    }).join();
    EXPECT_EQ(task.coroutine().state(), CoroutineState::suspended);
    task.cancel();
  });
}

// SCH-09
TEST_P(Misuse, SecondRuntimeOnThreadIsRejected) {
  run([&] {
    auto second = make_runtime(GetParam());
    EXPECT_MISUSE(second->run([] {}), "already runs a runtime");
    EXPECT_MISUSE(second->attach(), "already runs a runtime");
    EXPECT_EQ(await(spawn([] { return 1; })), 1) << "the first runtime still works";
  });
}

TEST(MisuseOfOptions, StackSizesAreChecked) {
  EXPECT_MISUSE(Runtime({.stack_size = 64 * 1024 + 1}), "is not a multiple of the page size; use 69632");
  EXPECT_MISUSE(Runtime({.stack_size = 4096}), "is too small: it must be at least");
  EXPECT_MISUSE(Runtime({.guard_size = 0}), "guard_size is 0");
  Runtime runtime;
  runtime.run([] {
    EXPECT_MISUSE(spawn({.stack_size = 70000}, [] {}), "is not a multiple of the page size; use 73728");
    EXPECT_MISUSE(spawn({.stack_size = 4096}, [] {}), "is too small");
    EXPECT_EQ(await(spawn({.stack_size = 128 * 1024}, [] { return 1; })), 1) << "the failed spawns leak no stack";
  });
  expect_no_leaks(runtime);
}

TEST_P(Misuse, NonPositiveIntervalIsRejected) {
  run([] {
    EXPECT_MISUSE(Interval(0ms), "must be greater than zero");
    EXPECT_MISUSE(Interval(-1s), "must be greater than zero");
  });
}

}  // namespace
}  // namespace trueasync::test
