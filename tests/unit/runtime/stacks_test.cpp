// Stacks in the public API: bursts, measurement, hooks and limits.
#include <gtest/gtest.h>

#include <set>

#include "context/sanitizer.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// CTX-02 ST-11
TEST(Stacks, MemoryOfBurstIsReleasedOverTime) {
  constexpr int kBurst = 2000;
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    std::vector<Task<void>> burst;
    for (int i = 0; i < kBurst; ++i) burst.push_back(spawn([] { delay(1ms); }));
    yield();
    const Statistics during = statistics();
    EXPECT_GE(during.stacks_in_use, static_cast<std::size_t>(kBurst));
    for (auto& task : burst) await(task);
    EXPECT_GE(statistics().stacks_warm, static_cast<std::size_t>(kBurst)) << "warm for the next burst";
    delay(1min);
    const Statistics after = statistics();
    EXPECT_LE(after.stacks_warm, RuntimeOptions{}.warm_stacks);
    EXPECT_LT(after.stacks_mapped, during.stacks_mapped) << "idle slabs are unmapped";
    for (int i = 0; i < 100; ++i) await(spawn([] {}));
  });
  expect_no_leaks(simulation.runtime());
}

// CTX-02 XC-13
TEST(Stacks, FullyTrimmedPoolDoesNotWakeProgram) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([] {
    std::vector<Task<void>> burst;
    for (int i = 0; i < 500; ++i) burst.push_back(spawn([] { delay(1ms); }));
    for (auto& task : burst) await(task);
    delay(1min);
    const auto before = statistics().polls_blocking;
    delay(24h);
    EXPECT_LE(statistics().polls_blocking - before, 2u);
  });
}

class StackUse : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(StackUse);

[[gnu::noinline]] void use_stack(std::size_t bytes) {
  volatile char* buffer = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes; i += 512) buffer[i] = 1;
}

// CTX-02
TEST_P(StackUse, HighWaterMarkIsPerCoroutine) {
  run(
      [] {
        auto deep = spawn([] {
          use_stack(40 * 1024);
          yield();
          EXPECT_GE(current_coroutine().stack_high_water(), 40u * 1024);
          EXPECT_LT(current_coroutine().stack_high_water(), 64u * 1024);
        });
        await(deep);
        EXPECT_GE(statistics().stack_peak_bytes, 40u * 1024);
        EXPECT_EQ(deep.coroutine().stack_high_water(), 0u) << "the stack has been released";
        auto flat = spawn([] {
          yield();
          return current_coroutine().stack_high_water();
        });
        EXPECT_LT(await(flat), 40u * 1024) << "the use by the previous coroutine does not count";
      },
      {.measure_stacks = true});
}

TEST_P(StackUse, DifferentSizesMayBeMixed) {
  run([] {
    std::vector<Task<void>> tasks;
    for (std::size_t pages : {32, 64, 256}) {
      tasks.push_back(spawn({.stack_size = pages * 4096}, [pages] {
        use_stack(pages * 4096 / 2);
        yield();
      }));
    }
    for (auto& task : tasks) await(task);
  });
}

// XC-14
TEST_P(StackUse, HookReportsCreationAndDestructionOfEveryStack) {
  std::set<std::pair<char*, char*>> known;
  std::size_t max_known = 0;
  RuntimeOptions options;
  options.on_stack = [&](void* limit, void* top, bool created) {
    const auto bounds = std::pair(static_cast<char*>(limit), static_cast<char*>(top));
    if (created) {
      EXPECT_TRUE(known.insert(bounds).second);
      max_known = std::max(max_known, known.size());
    } else {
      EXPECT_EQ(known.erase(bounds), 1u);
    }
  };
  {
    auto runtime = make_runtime(GetParam(), options);
    runtime->run([&] {
      std::vector<Task<void>> tasks;
      for (int i = 0; i < 100; ++i) {
        tasks.push_back(spawn([&] {
          yield();
          auto* frame = static_cast<char*>(__builtin_frame_address(0));
          auto after = known.upper_bound(std::pair(frame, static_cast<char*>(nullptr)));
          ASSERT_NE(after, known.begin());
          --after;
          EXPECT_GT(frame, after->first);
          EXPECT_LT(frame, after->second);
        }));
      }
      for (auto& task : tasks) await(task);
    });
  }
  EXPECT_GE(max_known, 100u);
  EXPECT_TRUE(known.empty()) << "every stack was reported as destroyed";
}

// CTX-04
TEST_P(StackUse, ExceedingMaxStacksThrowsWithoutLeak) {
  run(
      [] {
        std::vector<Task<void>> tasks;
        std::string limit;
        try {
          for (int i = 0; i < 1000; ++i) tasks.push_back(spawn([] { yield(); }));
        } catch (const StackError& error) {
          limit = error.limit();
        }
        EXPECT_EQ(limit, "max_stacks");
        EXPECT_GE(tasks.size(), 10u);
        for (auto& task : tasks) await(task);
        EXPECT_EQ(await(spawn([] { return 1; })), 1) << "stacks are available again";
      },
      {.max_stacks = 20});
}

}  // namespace
}  // namespace trueasync::test
