// Microtasks: end of main, requeueing, and rejected suspensions.
#include <stdexcept>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

class MicrotaskEdge : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(MicrotaskEdge);

// MIC-01
TEST_P(MicrotaskEdge, MicrotaskOfMainWithoutSuspensionRuns) {
  int ran = 0;
  run([&] {
    queue_microtask([&] {
      ++ran;
      queue_microtask([&] { ++ran; });
    });
  });
  EXPECT_EQ(ran, 2);
}

// MIC-03
TEST_P(MicrotaskEdge, ErrorAfterMainReturnedIsThrownByRun) {
  EXPECT_THROW(run([] { queue_microtask([] { throw std::range_error("late"); }); }), std::range_error);
}

// MIC-01
TEST_P(MicrotaskEdge, CoroutineSpawnedAfterMainReturnedRuns) {
  int ran = 0;
  run([&] {
    queue_microtask([&] {
      spawn([&] {
        yield();
        ++ran;
      });
    });
  });
  EXPECT_EQ(ran, 1);
}

// MIC-01 MIC-04
TEST_P(MicrotaskEdge, AllMicrotasksBeyondTickLimitRun) {
  constexpr unsigned kMany = 3 * kMicrotasksPerTick;
  unsigned ran = 0;
  run([&] {
    for (unsigned i = 0; i < kMany; ++i) queue_microtask([&] { ++ran; });
  });
  EXPECT_EQ(ran, kMany);
}

// MIC-01
TEST_P(MicrotaskEdge, QueueingTwiceAborts) {
  // A second insertion would corrupt the queue and lose the microtasks between.
  Microtask task;
  task.handler = [](Microtask&) noexcept -> std::exception_ptr { return nullptr; };
  const auto queue_twice = [&](bool with_another_between) {
    run([&] {
      queue_microtask(task);
      if (with_another_between) queue_microtask([] {});
      queue_microtask(task);
      yield();
    });
  };
  EXPECT_DEATH(queue_twice(true), "queued twice");
  EXPECT_DEATH(queue_twice(false), "queued twice");
}

// MIC-02
TEST_P(MicrotaskEdge, MayBeQueuedAgainAfterRun) {
  struct Counted : Microtask {
    int runs = 0;
  } counted;
  counted.handler = [](Microtask& self) noexcept -> std::exception_ptr {
    ++static_cast<Counted&>(self).runs;
    return nullptr;
  };
  run([&] {
    for (int i = 1; i <= 3; ++i) {
      queue_microtask(counted);
      yield();
      EXPECT_EQ(counted.runs, i);
      EXPECT_EQ(counted.references, 1u);
    }
  });
}

// MIC-04
TEST_P(MicrotaskEdge, MayQueueItselfInHandler) {
  struct Requeued : Microtask {
    int runs = 0;
  } requeued;
  requeued.handler = [](Microtask& self) noexcept -> std::exception_ptr {
    if (++static_cast<Requeued&>(self).runs < 3) queue_microtask(self);
    return nullptr;
  };
  run([&] {
    queue_microtask(requeued);
    yield();
    EXPECT_EQ(requeued.runs, 3);
  });
  EXPECT_EQ(requeued.references, 1u);
}

TEST_P(MicrotaskEdge, SuspensionWithoutLocationIsRejected) {
  // A host may have no source location.
  int rejected = 0;
  run([&] {
    queue_microtask([&] {
      try {
        yield(SourceLocation{});
      } catch (const MisuseError&) {
        ++rejected;
      }
    });
    yield();
  });
  EXPECT_EQ(rejected, 1);
}

}  // namespace
}  // namespace trueasync::test
