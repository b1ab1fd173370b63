// Nobody starves (SCH-06): neither the reactor behind a busy queue, nor the queue behind a flood of events. The bounds
// are those stated in scheduler.hpp; time is virtual, so they are asserted exactly.
#include <numeric>

#include "unit/scheduler/manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::kMaxTicksPerClockRead;
using detail::kPollInterval;

// Main yields until `done`; each run takes `cost` of virtual time. Returns how many runs it took.
template <class Done>
std::uint32_t busy_until(detail::SimReactor& reactor, std::chrono::nanoseconds cost, Done done) {
  std::uint32_t runs = 0;
  while (!done() && runs < 100000) {
    ++runs;
    reactor.advance(cost);
    yield();
  }
  return runs;
}

std::uint64_t total(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// SCH-06
TEST(Fairness, ABusyQueueOfShortRunsCantStarveADueTimer) {
  SimRuntime world;
  world.runtime->run([&] {
    TimePoint fired{};
    TimePoint due = world.reactor->now() + 5ms;
    spawn([&] {
      delay(5ms);
      fired = world.reactor->now();
    });
    constexpr auto kCost = 1us;
    busy_until(*world.reactor, kCost, [&] { return fired != TimePoint{}; });
    // At worst the clock was read a moment too early: then it takes kClockEveryMax more runs, and the timer's coroutine
    // stands behind the one that was ready.
    EXPECT_GE(fired, due);
    EXPECT_LE(fired - due, kPollInterval + (kMaxTicksPerClockRead + 2) * kCost);
  });
}

// SCH-06
TEST(Fairness, LongRunsMakeTheClockBeReadAtEveryTick) {
  SimRuntime world;
  world.runtime->run([&] {
    constexpr auto kCost = 2ms;  // far more than kPollEvery
    busy_until(*world.reactor, kCost, [runs = 0u]() mutable { return ++runs > 3 * kMaxTicksPerClockRead; });
    bool fired = false;
    spawn([&] {
      delay(1ms);
      fired = true;
    });
    yield();
    // Due after the first run, seen in the tick that ends it, run in the one after.
    EXPECT_LE(busy_until(*world.reactor, kCost, [&] { return fired; }), 2u);
    const std::uint64_t before = statistics().polls_without_wait;
    busy_until(*world.reactor, kCost, [runs = 0u]() mutable { return ++runs > 100; });
    // The sleeper's own run took no time, so the clock rested for one tick.
    EXPECT_GE(statistics().polls_without_wait - before, 99u);
  });
}

// SCH-06
TEST(Fairness, ABusyQueueCantStarveAReadyDescriptor) {
  SimRuntime world;
  world.runtime->run([&] {
    bool served = false;
    spawn([&] {
      poll(5, Readiness::readable);
      served = true;
    });
    yield();
    world.reactor->set_ready(5, detail::kPollReadable);
    world.reactor->advance(kPollInterval);
    // No time passes in these runs: the bound is in runs alone.
    EXPECT_LE(busy_until(*world.reactor, 0ns, [&] { return served; }), kMaxTicksPerClockRead + 1);
  });
}

// SCH-06
TEST(Fairness, TheClockCanBeWhatMakesTimePass) {
  // With a clock that moves only when it is looked at, the looks alone bring the timer.
  SimRuntime world(kPollInterval);
  world.runtime->run([&] {
    bool fired = false;
    spawn([&] {
      delay(3 * kPollInterval);
      fired = true;
    });
    EXPECT_LE(busy_until(*world.reactor, 0ns, [&] { return fired; }), 4 * kMaxTicksPerClockRead + 2);
  });
}

// SCH-06
TEST(Fairness, AFloodOfReadyDescriptorsCantStarveTheQueue) {
  // What one look wakes takes turns with those who were ready, so between two runs of a worker at most one of
  // the woken runs – however many descriptors are always ready.
  SimRuntime world(kPollInterval);
  world.runtime->run([&] {
    constexpr int kPollers = 50;
    std::vector<Task<void>> pollers;
    std::vector<std::uint64_t> served(kPollers, 0);
    for (int i = 0; i < kPollers; ++i) {
      world.reactor->set_ready(i, detail::kPollReadable);
      pollers.push_back(spawn([&, i] {
        for (;;) {
          poll(i, Readiness::readable);
          ++served[static_cast<std::size_t>(i)];
        }
      }));
    }
    yield();
    for (int round = 0; round < 3000; ++round) {
      const std::vector<std::uint64_t> before = served;
      yield();
      EXPECT_LE(total(served) - total(before), 1u);
    }
    // The flood was real: all of them were served, many times.
    for (std::uint64_t count : served) EXPECT_GE(count, 10u);
    for (auto& task : pollers) task.cancel();
  });
}

// SCH-06
TEST(Fairness, AFloodOfDueTimersCantStarveTheQueue) {
  SimRuntime world(kPollInterval);
  world.runtime->run([&] {
    std::vector<Task<void>> sleepers;
    std::vector<std::uint64_t> woken(50, 0);
    for (std::size_t i = 0; i < woken.size(); ++i) {
      sleepers.push_back(spawn([&, i] {
        for (;;) {
          delay(1ns);
          ++woken[i];
        }
      }));
    }
    yield();
    for (int round = 0; round < 1000; ++round) {
      const std::vector<std::uint64_t> before = woken;
      yield();
      EXPECT_LE(total(woken) - total(before), 1u);
    }
    for (std::uint64_t count : woken) EXPECT_GE(count, 5u);
    for (auto& task : sleepers) task.cancel();
  });
}

// SCH-06
TEST(Fairness, ALongQueueDoesNotDelayWhomTheReactorWakes) {
  // Ten thousand wait to start; a due timer's coroutine does not stand behind them.
  SimRuntime world;
  world.runtime->run([&] {
    std::uint32_t started = 0;
    std::uint32_t started_before = 0;
    spawn([&] {
      delay(1ms);
      started_before = started;
    });
    yield();
    for (int i = 0; i < 10000; ++i) spawn([&] { ++started; });
    world.reactor->advance(1ms);
    yield();
    EXPECT_EQ(started, 10000u);
    EXPECT_GT(started_before, 0u);
    EXPECT_LE(started_before, kMaxTicksPerClockRead + 1);
  });
}

// SCH-06
TEST(Fairness, OnLibuvAnEndlessQueueLetsATimerFire) {
  // The same with the real clock; only that it ends is asserted.
  Runtime runtime;
  runtime.run([] {
    bool fired = false;
    spawn([&] {
      delay(2ms);
      fired = true;
    });
    while (!fired) yield();
    EXPECT_EQ(statistics().polls_blocking, 0u);
  });
  expect_no_leaks(runtime);
}

}  // namespace
}  // namespace trueasync::test
