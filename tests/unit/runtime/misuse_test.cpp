// Misuse is a clear error: a MisuseError whose text says what to do instead.
#include <gtest/gtest.h>

#include <thread>

#include "manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

template <class F>
std::string misuse(F&& function) {
  try {
    function();
  } catch (const MisuseError& error) {
    return error.what();
  }
  return "no MisuseError";
}

#define EXPECT_MISUSE(statement, part)                                             \
  do {                                                                             \
    const std::string text = misuse([&] { statement; });                           \
    EXPECT_NE(text.find(part), std::string::npos) << #statement " said: " << text; \
  } while (false)

class Misuse : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(Misuse);

TEST(MisuseWithoutRuntime, EveryCallSaysThatItNeedsOne) {
  const char* kNeed = "needs a runtime on this thread: call it inside trueasync::run()";
  EXPECT_MISUSE(yield(), kNeed);
  EXPECT_MISUSE(delay(1ms), kNeed);
  EXPECT_MISUSE(delay(0ms), kNeed);
  EXPECT_MISUSE(spawn([] {}), kNeed);
  EXPECT_MISUSE(current_coroutine(), kNeed);
  EXPECT_MISUSE(timeout(1ms), kNeed);
  EXPECT_MISUSE(Trigger(), kNeed);
  EXPECT_MISUSE(protect([] {}), kNeed);
  EXPECT_MISUSE(poll(0, Readiness::readable), kNeed);
  EXPECT_MISUSE(queue_microtask([] {}), kNeed);
  EXPECT_MISUSE(run_on_thread_stack([] {}), kNeed);
  EXPECT_MISUSE(shut_down(), kNeed);
  EXPECT_MISUSE(dump(), kNeed);
  EXPECT_MISUSE(fork_process(), kNeed);
}

TEST_P(Misuse, RuntimeThatIsNotAttachedCantBeDriven) {
  auto idle = make_runtime(GetParam());
  EXPECT_MISUSE(idle->run_once(), "run_once() needs a runtime that was attached by this thread");
  EXPECT_MISUSE(idle->run_until_idle(), "attached by this thread");
  EXPECT_MISUSE(idle->run_until(*ManualEvent::make()), "attached by this thread");
  EXPECT_MISUSE(idle->detach(), "attached by this thread");
  idle->shut_down();
}

TEST_P(Misuse, OnlyMainDrivesTheRuntime) {
  run([&] {
    await(spawn([&] {
      EXPECT_MISUSE(runtime().run_once(), "can only be called by main");
      EXPECT_MISUSE(runtime().detach(), "can only be called by main");
      EXPECT_MISUSE(runtime().run_until(*ManualEvent::make()), "can only be called by main");
    }));
  });
}

TEST_P(Misuse, ForeignThreadCantDriveIt) {
  run([&] { std::thread([&] { EXPECT_MISUSE(runtime().run_once(), "attached by this thread"); }).join(); });
}

TEST_P(Misuse, MicrotaskMustNotSuspend) {
  run([] {
    int asked = 0;
    queue_microtask([&] {
      ++asked;
      EXPECT_MISUSE(yield(), "code inside a microtask must not suspend");
      EXPECT_MISUSE(delay(1ms), "misuse_test.cpp:");
      EXPECT_MISUSE(wait_for(*ManualEvent::make()), "spawn a coroutine instead");
    });
    yield();
    EXPECT_EQ(asked, 1);
    yield();
  });
}

TEST_P(Misuse, SwitchHandlerMustNotSuspend) {
  run([] {
    int asked = 0;
    add_switch_handler([&](const Coroutine&, SwitchKind) {
      ++asked;
      EXPECT_MISUSE(yield(), "inside a switch handler");
      return asked < 2;
    });
    await(spawn([] {}));
    EXPECT_EQ(asked, 2);
  });
}

// ST-09
TEST_P(Misuse, CallOnTheThreadsStackMustNotSuspend) {
  run([] {
    run_on_thread_stack([] { EXPECT_MISUSE(yield(), "inside a call on the thread's own stack"); });
    await(spawn([] {
      run_on_thread_stack([] { EXPECT_MISUSE(delay(1ms), "inside a call on the thread's own stack"); });
      yield();
    }));
  });
}

TEST_P(Misuse, HandlerOfUnhandledErrorsMustNotSuspend) {
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

TEST_P(Misuse, ClosureThatNeverRanMustNotSuspendInItsDestructor) {
  run([] {
    int asked = 0;
    struct Waits {
      explicit Waits(int& times) : asked(times) {}
      int& asked;
      ~Waits() {
        ++asked;
        EXPECT_MISUSE(yield(), "the destructor of a closure that never ran");
      }
    };
    auto task = spawn([waits = std::make_unique<Waits>(asked)] {});
    task.cancel();
    yield();
    EXPECT_EQ(asked, 1);
  });
}

TEST_P(Misuse, NobodyCanAwaitItself) {
  run([] {
    Task<void> self;
    self = spawn({.name = "ouroboros"}, [&] { EXPECT_MISUSE(await(self), "\"ouroboros\" cannot await itself"); });
    await(self);
    EXPECT_MISUSE(await(current_coroutine()), "cannot await itself");
  });
}

TEST_P(Misuse, EmptyTaskHasNothingToAwait) {
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

TEST_P(Misuse, ResultThatWasMovedOutIsGone) {
  run([] {
    auto task = spawn([] { return std::make_unique<int>(1); });
    Coroutine handle = task.coroutine();
    Task<std::unique_ptr<int>> same(handle);
    EXPECT_EQ(*await(std::move(task)), 1);
    EXPECT_MISUSE(await(std::move(same)), "has already been moved out");
  });
}

TEST_P(Misuse, TaskOfAnotherThreadsRuntimeCantBeTouched) {
  run([&] {
    auto task = spawn([] { delay(24h); });
    yield();
    // This thread stands still while the other one tries.
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
TEST_P(Misuse, OneRuntimePerThread) {
  run([&] {
    auto second = make_runtime(GetParam());
    EXPECT_MISUSE(second->run([] {}), "already runs a runtime");
    EXPECT_MISUSE(second->attach(), "already runs a runtime");
    EXPECT_EQ(await(spawn([] { return 1; })), 1) << "the first one is as it was";
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
    EXPECT_EQ(await(spawn({.stack_size = 128 * 1024}, [] { return 1; })), 1) << "nothing was lost by that";
  });
  expect_no_leaks(runtime);
}

TEST_P(Misuse, TimesThatMakeNoSenseAreRefused) {
  run([] {
    EXPECT_MISUSE(Interval(0ms), "must be greater than zero");
    EXPECT_MISUSE(Interval(-1s), "must be greater than zero");
  });
}

}  // namespace
}  // namespace trueasync::test
