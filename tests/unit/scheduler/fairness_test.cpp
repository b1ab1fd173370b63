// Fairness between the ready queue and the reactor: neither starves the other. The bounds are those of scheduler.hpp.
// Time is virtual, so the tests check them exactly.
#include <numeric>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::kMaxTicksPerClockRead;
using detail::kPollInterval;

// Main yields until `done` returns true. Each run takes `cost` of virtual time. Returns the number of runs.
template <class Done>
std::uint32_t yield_until(detail::SimReactor& reactor, std::chrono::nanoseconds cost, Done done) {
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
TEST(Fairness, ShortRunsDoNotStarveDueTimer) {
  SimRuntime sim;
  sim.runtime->run([&] {
    TimePoint fired{};
    TimePoint due = sim.reactor->now() + 5ms;
    spawn([&] {
      delay(5ms);
      fired = sim.reactor->now();
    });
    constexpr auto kCost = 1us;
    yield_until(*sim.reactor, kCost, [&] { return fired != TimePoint{}; });
    // In the worst case the clock was read just before the deadline. The next read follows kMaxTicksPerClockRead runs
    // later, and the coroutine of the timer runs after the coroutine that is ready.
    EXPECT_GE(fired, due);
    EXPECT_LE(fired - due, kPollInterval + (kMaxTicksPerClockRead + 2) * kCost);
  });
}

// SCH-06
TEST(Fairness, LongRunsMakeEveryTickReadTheClock) {
  SimRuntime sim;
  sim.runtime->run([&] {
    constexpr auto kCost = 2ms;  // much more than kPollInterval
    yield_until(*sim.reactor, kCost, [runs = 0u]() mutable { return ++runs > 3 * kMaxTicksPerClockRead; });
    bool fired = false;
    spawn([&] {
      delay(1ms);
      fired = true;
    });
    yield();
    // The timer is due after the first run, fires in the tick after it, and the coroutine runs next.
    EXPECT_LE(yield_until(*sim.reactor, kCost, [&] { return fired; }), 2u);
    const std::uint64_t before = statistics().polls_without_wait;
    yield_until(*sim.reactor, kCost, [runs = 0u]() mutable { return ++runs > 100; });
    // The run of the sleeping coroutine took no time, so one tick did not read the clock.
    EXPECT_GE(statistics().polls_without_wait - before, 99u);
  });
}

// SCH-06
TEST(Fairness, ReadyCoroutinesDoNotStarveReadyDescriptor) {
  SimRuntime sim;
  sim.runtime->run([&] {
    bool woken = false;
    spawn([&] {
      poll(5, Readiness::readable);
      woken = true;
    });
    yield();
    sim.reactor->set_ready(5, detail::kPollReadable);
    sim.reactor->advance(kPollInterval);
    // No time passes in these runs, so only the number of runs bounds the wait.
    EXPECT_LE(yield_until(*sim.reactor, 0ns, [&] { return woken; }), kMaxTicksPerClockRead + 1);
  });
}

// SCH-06
TEST(Fairness, ClockReadsAloneLetTimerFire) {
  // The clock advances only when it is read.
  SimRuntime sim(kPollInterval);
  sim.runtime->run([&] {
    bool fired = false;
    spawn([&] {
      delay(3 * kPollInterval);
      fired = true;
    });
    EXPECT_LE(yield_until(*sim.reactor, 0ns, [&] { return fired; }), 4 * kMaxTicksPerClockRead + 2);
  });
}

// SCH-06
TEST(Fairness, ReadyDescriptorsDoNotStarveReadyQueue) {
  // Coroutines woken by one poll alternate with the coroutines of the ready queue. So at most one of them runs between
  // two runs of main, for any number of ready descriptors.
  SimRuntime sim(kPollInterval);
  sim.runtime->run([&] {
    constexpr int kPollers = 50;
    std::vector<Task<void>> pollers;
    std::vector<std::uint64_t> wakes(kPollers, 0);
    for (int i = 0; i < kPollers; ++i) {
      sim.reactor->set_ready(i, detail::kPollReadable);
      pollers.push_back(spawn([&, i] {
        for (;;) {
          poll(i, Readiness::readable);
          ++wakes[static_cast<std::size_t>(i)];
        }
      }));
    }
    yield();
    for (int round = 0; round < 3000; ++round) {
      const std::vector<std::uint64_t> before = wakes;
      yield();
      EXPECT_LE(total(wakes) - total(before), 1u);
    }
    // Every poller was woken many times, so the ready queue had competition.
    for (std::uint64_t count : wakes) EXPECT_GE(count, 10u);
    for (auto& task : pollers) task.cancel();
  });
}

// SCH-06
TEST(Fairness, DueTimersDoNotStarveReadyQueue) {
  SimRuntime sim(kPollInterval);
  sim.runtime->run([&] {
    std::vector<Task<void>> sleepers;
    std::vector<std::uint64_t> wakes(50, 0);
    for (std::size_t i = 0; i < wakes.size(); ++i) {
      sleepers.push_back(spawn([&, i] {
        for (;;) {
          delay(1ns);
          ++wakes[i];
        }
      }));
    }
    yield();
    for (int round = 0; round < 1000; ++round) {
      const std::vector<std::uint64_t> before = wakes;
      yield();
      EXPECT_LE(total(wakes) - total(before), 1u);
    }
    for (std::uint64_t count : wakes) EXPECT_GE(count, 5u);
    for (auto& task : sleepers) task.cancel();
  });
}

// SCH-06
TEST(Fairness, LongReadyQueueDoesNotDelayReactorWakes) {
  // 10,000 coroutines are in the ready queue. The coroutine of a due timer does not run after all of them.
  SimRuntime sim;
  sim.runtime->run([&] {
    std::uint32_t started = 0;
    std::uint32_t started_before_wake = 0;
    spawn([&] {
      delay(1ms);
      started_before_wake = started;
    });
    yield();
    for (int i = 0; i < 10000; ++i) spawn([&] { ++started; });
    sim.reactor->advance(1ms);
    yield();
    EXPECT_EQ(started, 10000u);
    EXPECT_GT(started_before_wake, 0u);
    EXPECT_LE(started_before_wake, kMaxTicksPerClockRead + 1);
  });
}

// SCH-06
TEST(Fairness, TimerFiresWithRealClockWhileMainYields) {
  // With the real clock the test checks only that the timer fires.
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
