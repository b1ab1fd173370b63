// Microtasks at the edges: of a main that never suspends, queued while queued already, and refused suspensions.
#include <stdexcept>

#include "manual_event.hpp"

namespace trueasync::test {
namespace {

class MicrotaskEdge : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(MicrotaskEdge);

// MIC-01
TEST_P(MicrotaskEdge, QueuedByAMainThatNeverSuspendsRunsBeforeTheEnd) {
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
TEST_P(MicrotaskEdge, ErrorOfOneThatRunsAtTheEndComesOutOfRun) {
  EXPECT_THROW(run([] { queue_microtask([] { throw std::range_error("late"); }); }), std::range_error);
}

// MIC-01
TEST_P(MicrotaskEdge, SpawnedByOneThatRunsAtTheEndRunsToo) {
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
TEST_P(MicrotaskEdge, MoreThanOneTickTakesAreAllRunBeforeTheEnd) {
  constexpr unsigned kMany = 3 * kMicrotasksPerTick;
  unsigned ran = 0;
  run([&] {
    for (unsigned i = 0; i < kMany; ++i) queue_microtask([&] { ++ran; });
  });
  EXPECT_EQ(ran, kMany);
}

// MIC-01
TEST_P(MicrotaskEdge, QueuedWhileItIsQueuedIsFoundOutAtOnce) {
  // It would tear the queue, and lose whoever stands between.
  Microtask task;
  task.handler = [](Microtask&) noexcept -> std::exception_ptr { return nullptr; };
  const auto queue_twice = [&](bool with_one_between) {
    run([&] {
      queue_microtask(task);
      if (with_one_between) queue_microtask([] {});
      queue_microtask(task);
      yield();
    });
  };
  EXPECT_DEATH(queue_twice(true), "queued twice");
  EXPECT_DEATH(queue_twice(false), "queued twice");
}

// MIC-02
TEST_P(MicrotaskEdge, MayBeQueuedAgainWhenItHasRun) {
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
TEST_P(MicrotaskEdge, MayQueueItselfAgainWhileItRuns) {
  struct Again : Microtask {
    int runs = 0;
  } again;
  again.handler = [](Microtask& self) noexcept -> std::exception_ptr {
    if (++static_cast<Again&>(self).runs < 3) queue_microtask(self);
    return nullptr;
  };
  run([&] {
    queue_microtask(again);
    yield();
    EXPECT_EQ(again.runs, 3);
  });
  EXPECT_EQ(again.references, 1u);
}

TEST_P(MicrotaskEdge, RefusedSuspensionWithoutAPlaceIsToldAsWell) {
  // A host may have no place to give.
  int refused = 0;
  run([&] {
    queue_microtask([&] {
      try {
        yield(SourceLocation{});
      } catch (const MisuseError&) {
        ++refused;
      }
    });
    yield();
  });
  EXPECT_EQ(refused, 1);
}

}  // namespace
}  // namespace trueasync::test
