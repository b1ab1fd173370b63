// A second run of the same runtime: the first run leaves nothing behind, even if it failed.
#include <csignal>
#include <stdexcept>

#include "support/reactor_test.hpp"
#include "trueasync/host.hpp"

namespace trueasync::test {
namespace {

class SecondRun : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(SecondRun);

void expect_works(Runtime& runtime) {
  const int sum = runtime.run([] {
    EXPECT_EQ(coroutines().size(), 1u) << dump();
    auto task = spawn([] {
      yield();
      return 1;
    });
    yield();
    return await(task) + await(spawn([] { return 2; }));
  });
  EXPECT_EQ(sum, 3);
  expect_no_leaks(runtime);
}

// SHU-03 SWH-01
TEST_P(SecondRun, SpawnOfLastSwitchHandlerIsDiscarded) {
  auto runtime = make_runtime(GetParam());
  Task<void> late;
  runtime->run([&] {
    add_switch_handler([&](const Coroutine&, SwitchKind kind) {
      if (kind == SwitchKind::finish) late = spawn([] {});
      return true;
    });
  });
  expect_no_leaks(*runtime);
  if (late) {
    EXPECT_TRUE(late.is_finished());
  }
  expect_works(*runtime);
}

// SHU-03 MIC-02
TEST_P(SecondRun, SpawnOfMicrotaskDestructorIsDiscarded) {
  // The last switch handler queues a microtask that never runs and is only destroyed.
  struct SpawnsOnDestroy : Microtask {
    Task<void> late;
    int runs = 0;
    int destructions = 0;
  } microtask;
  microtask.handler = [](Microtask& self) noexcept -> std::exception_ptr {
    ++static_cast<SpawnsOnDestroy&>(self).runs;
    return nullptr;
  };
  microtask.destructor = [](Microtask& self) noexcept {
    auto& task = static_cast<SpawnsOnDestroy&>(self);
    ++task.destructions;
    task.late = spawn([] {});
  };
  auto runtime = make_runtime(GetParam());
  runtime->run([&] {
    add_switch_handler([&](const Coroutine&, SwitchKind kind) {
      if (kind == SwitchKind::finish) {
        queue_microtask(microtask);
        microtask.release();
      }
      return true;
    });
  });
  EXPECT_EQ(microtask.destructions, 1);
  expect_no_leaks(*runtime);
  if (microtask.late) {
    EXPECT_TRUE(microtask.late.is_finished());
  }
  expect_works(*runtime);
}

// SHU-03
TEST_P(SecondRun, WorksAfterFailedRun) {
  auto runtime = make_runtime(GetParam());
  EXPECT_THROW(runtime->run([] {
    add_switch_handler([](const Coroutine&, SwitchKind kind) {
      if (kind == SwitchKind::finish) spawn([] {});
      return true;
    });
    throw std::range_error("main failed");
  }),
               std::range_error);
  expect_no_leaks(*runtime);
  expect_works(*runtime);
}

// SHU-03
TEST_P(SecondRun, WorksAfterRunThatCouldNotStart) {
  // SIGKILL cannot be caught, so the run cannot start.
  auto runtime = make_runtime(ReactorKind::libuv, {.shutdown_signals = {SIGKILL}});
  for (int i = 0; i < 2; ++i) {
    EXPECT_ANY_THROW(runtime->run([] {})) << "the second attempt fails for the same reason";
    expect_no_leaks(*runtime);
  }
  expect_works(*make_runtime(GetParam()));
}

// CTX-04
TEST_P(SecondRun, WorksWithGuardAsLargeAsLoopStack) {
  // A guard that is valid for the stacks of coroutines must not exceed the stack of the loop.
  auto runtime = make_runtime(GetParam(), {.stack_size = 8 << 20, .guard_size = 256 << 10});
  expect_works(*runtime);
  expect_works(*runtime);
}

// SWH-02 SHU-03
TEST_P(SecondRun, WorksAfterThrowingCopyOfMainStartHandler) {
  struct ThrowsOnCopy {
    int* remaining_copies;
    explicit ThrowsOnCopy(int* remaining) : remaining_copies(remaining) {}
    ThrowsOnCopy(const ThrowsOnCopy& other) : remaining_copies(other.remaining_copies) {
      if ((*remaining_copies)-- == 0) throw std::bad_alloc();
    }
    bool operator()(const Coroutine&, SwitchKind) const { return true; }
  };
  int remaining_copies = 1000;
  auto runtime = make_runtime(GetParam());
  runtime->on_main_start(ThrowsOnCopy(&remaining_copies));
  remaining_copies = 0;
  EXPECT_THROW(runtime->run([] {}), std::bad_alloc);
  remaining_copies = 1000;
  expect_works(*runtime);
}

}  // namespace
}  // namespace trueasync::test
