// One run after the other: nothing of the first is left for the second, however the first ended.
#include <csignal>
#include <stdexcept>

#include "support/reactor_test.hpp"
#include "trueasync/microtask.hpp"

namespace trueasync::test {
namespace {

class SecondRun : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(SecondRun);

void expect_works(Runtime& runtime) {
  const int sum = runtime.run([] {
    EXPECT_EQ(coroutines().size(), 1u) << dump();
    auto one = spawn([] {
      yield();
      return 1;
    });
    yield();
    return await(one) + await(spawn([] { return 2; }));
  });
  EXPECT_EQ(sum, 3);
  expect_no_leaks(runtime);
}

// SHU-03 SWH-01
TEST_P(SecondRun, IsRidOfWhatMainsLastHandlerSpawned) {
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
TEST_P(SecondRun, IsRidOfWhatTheDestructorOfAMicrotaskSpawned) {
  // The last handler queues one that is never run, only destroyed.
  struct SpawnsWhenItDies : Microtask {
    Task<void> late;
    int runs = 0;
    int destructions = 0;
  } microtask;
  microtask.handler = [](Microtask& self) noexcept -> std::exception_ptr {
    ++static_cast<SpawnsWhenItDies&>(self).runs;
    return nullptr;
  };
  microtask.destructor = [](Microtask& self) noexcept {
    auto& me = static_cast<SpawnsWhenItDies&>(self);
    ++me.destructions;
    me.late = spawn([] {});
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
TEST_P(SecondRun, IsGoodAfterOneThatFailed) {
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
TEST_P(SecondRun, IsGoodAfterOneThatCouldNotBegin) {
  // No signal can be caught by this number.
  auto runtime = make_runtime(ReactorKind::libuv, {.shutdown_signals = {SIGKILL}});
  for (int i = 0; i < 2; ++i) {
    EXPECT_ANY_THROW(runtime->run([] {})) << "and not because this thread were taken";
    expect_no_leaks(*runtime);
  }
  expect_works(*make_runtime(GetParam()));
}

// CTX-04
TEST_P(SecondRun, AndTheFirstTakeAGuardAsLargeAsTheLoopsStack) {
  // What is valid for coroutines must not be too much for the scheduler's own.
  auto runtime = make_runtime(GetParam(), {.stack_size = 8 << 20, .guard_size = 256 << 10});
  expect_works(*runtime);
  expect_works(*runtime);
}

// SWH-02 SHU-03
TEST_P(SecondRun, IsGoodAfterAMainStartHandlerThatCouldNotBeCopied) {
  struct CopiesBadly {
    int* copies_left;
    explicit CopiesBadly(int* left) : copies_left(left) {}
    CopiesBadly(const CopiesBadly& other) : copies_left(other.copies_left) {
      if ((*copies_left)-- == 0) throw std::bad_alloc();
    }
    bool operator()(const Coroutine&, SwitchKind) const { return true; }
  };
  int copies_left = 1000;
  auto runtime = make_runtime(GetParam());
  runtime->on_main_start(CopiesBadly(&copies_left));
  copies_left = 0;
  EXPECT_THROW(runtime->run([] {}), std::bad_alloc);
  copies_left = 1000;
  expect_works(*runtime);
}

}  // namespace
}  // namespace trueasync::test
