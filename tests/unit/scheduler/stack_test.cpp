// Stacks of coroutines: reuse, limits, sizes and trimming.
#include "context/guard.hpp"
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Stacks : public ReactorTest {
 protected:
  static detail::StackPoolStats scheduler_stacks() { return detail::Scheduler::current()->stacks().totals(); }
};

// CTX-01
TEST_P(Stacks, AreReused) {
  run([] {
    for (int round = 0; round < 100; ++round) {
      std::vector<Task<void>> tasks;
      for (int i = 0; i < 8; ++i) tasks.push_back(spawn([] { yield(); }));
      for (auto& task : tasks) await(task);
    }
    // Only the scheduler's stack is in use. Eight stacks were enough for 800 coroutines.
    EXPECT_EQ(statistics().stacks_in_use, 1u);
    EXPECT_LE(scheduler_stacks().warm, 8u);
    EXPECT_GE(scheduler_stacks().reused, 792u - 8u);
  });
}

// CTX-04 XC-09
TEST_P(Stacks, ExceedingMaxStacksThrowsStackError) {
  RuntimeOptions options;
  options.max_stacks = 4;
  run(
      [] {
        auto gate = ManualEvent::make();
        std::vector<Task<int>> tasks;
        auto body = [&gate, &tasks] {
          Event* events[] = {gate.get()};
          wait_any(events);
          return static_cast<int>(tasks.size());
        };
        for (int i = 0; i < 4; ++i) tasks.push_back(spawn(body));
        for (int attempt = 0; attempt < 3; ++attempt) {
          const Statistics before = statistics();
          try {
            spawn(body);
            FAIL() << "a fifth stack was acquired";
          } catch (const StackError& error) {
            EXPECT_EQ(error.limit(), "max_stacks");
            EXPECT_NE(std::string(error.what()).find("4 stacks"), std::string::npos) << error.what();
          }
          EXPECT_EQ(statistics().spawned, before.spawned);
          EXPECT_EQ(statistics().alive, before.alive);
          yield();
        }
        // The failed spawns leak nothing: the four coroutines finish, and a new one can start.
        gate->fire();
        for (auto& task : tasks) EXPECT_EQ(await(task), 4);
        EXPECT_EQ(await(spawn([] { return 9; })), 9);
      },
      options);
}

// CTX-04 CXL-01
TEST_P(Stacks, FinishedOrCancelledCoroutineReleasesReservation) {
  RuntimeOptions options;
  options.max_stacks = 1;
  run(
      [] {
        for (int i = 0; i < 10; ++i) {
          auto task = spawn([] {});
          EXPECT_THROW(spawn([] {}), StackError);
          if (i % 2) task.cancel();
          yield();
          EXPECT_TRUE(task.is_finished());
        }
      },
      options);
}

// CTX-04 XC-08 XC-09
TEST_P(Stacks, ExceedingMaxMapCountNamesTheSetting) {
  TRUEASYNC_SKIP_UNDER_VALGRIND("it keeps a table of every mapping");
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "sanitizers need the mappings themselves";
#endif
  if (detail::max_map_count() > 100000) GTEST_SKIP() << "vm.max_map_count is too high to be reached in a test";
  RuntimeOptions options;
  options.guard = StackGuard::mprotect;
  options.stack_size = 16 * 1024;
  run(
      [] {
        std::size_t ran = 0;
        std::size_t spawned = 0;
        std::string limit;
        std::string message;
        while (limit.empty() && spawned < detail::max_map_count()) {
          try {
            spawn([&] { ++ran; });
            ++spawned;
          } catch (const StackError& error) {
            limit = error.limit();
            message = error.what();
          }
        }
        EXPECT_EQ(limit, "vm.max_map_count");
        EXPECT_NE(message.find("vm.max_map_count"), std::string::npos) << message;
        // The coroutines have not started: their stacks are reserved, not in use.
        EXPECT_NE(message.find(std::to_string(spawned) + " stacks have a guard"), std::string::npos) << message;
        EXPECT_GE(spawned, detail::max_map_count() / 4);
        yield();
        EXPECT_EQ(ran, spawned);
        EXPECT_EQ(await(spawn([] { return 1; })), 1);
      },
      options);
}

// XC-09
TEST_P(Stacks, InvalidSizeThrowsMisuseError) {
  run([] {
    EXPECT_THROW(spawn({.stack_size = 1000}, [] {}), MisuseError);
    EXPECT_THROW(spawn({.stack_size = 4096}, [] {}), MisuseError);
    EXPECT_EQ(statistics().alive, 0u);
    EXPECT_EQ(await(spawn({.stack_size = 256 * 1024}, [] { return 2; })), 2);
  });
  RuntimeOptions options;
  options.stack_size = 12345;
  EXPECT_THROW(make_runtime(GetParam(), options), MisuseError);
}

// CTX-01
TEST_P(Stacks, LargerStackSizeHoldsLargerFrames) {
  run([] {
    auto deep = spawn({.stack_size = 1024 * 1024}, [] {
      volatile char buffer[512 * 1024];
      buffer[0] = 1;
      buffer[sizeof buffer - 1] = 2;
      yield();
      return buffer[0] + buffer[sizeof buffer - 1];
    });
    EXPECT_EQ(await(deep), 3);
  });
}

// SCH-02 CTX-03
TEST_P(Stacks, SmallestStackIsEnoughForTick) {
  // The coroutine polls the reactor in its tick, but the poll runs on the stack of the loop.
  run([] {
    auto small = spawn({.stack_size = 16 * 1024}, [] {
      const std::uint64_t before = statistics().polls_without_wait;
      while (statistics().polls_without_wait < before + 3) {
        for (int i = 0; i < 100; ++i) yield();
        if (auto* sim = dynamic_cast<detail::SimReactor*>(&detail::Scheduler::current()->reactor())) sim->advance(1ms);
      }
    });
    await(small);
  });
}

// XC-09
TEST_P(Stacks, SpawnOutsideRuntimeThrowsMisuseError) {
  EXPECT_THROW(spawn([] {}), MisuseError);
  EXPECT_THROW(yield(), MisuseError);
}

// ST-11 CTX-01
TEST(StackDemand, PoolGrowsWithBurstAndShrinksOverTime) {
  // Virtual time lets the trim windows pass.
  RuntimeOptions options;
  options.warm_stacks = 4;
  SimRuntime sim({}, options);
  sim.runtime->run([] {
    auto burst = [] {
      std::vector<Task<void>> tasks;
      for (int i = 0; i < 300; ++i) tasks.push_back(spawn([] { delay(1ms); }));
      yield();
      EXPECT_EQ(statistics().stacks_in_use, 301u);
      for (auto& task : tasks) await(task);
    };
    burst();
    const std::size_t mapped = statistics().stacks_mapped;
    EXPECT_GE(statistics().stacks_warm, 290u);
    burst();
    EXPECT_EQ(statistics().stacks_mapped, mapped);  // the second burst reuses all stacks
    for (int i = 0; i < 30; ++i) delay(1s);
    EXPECT_LE(statistics().stacks_warm, 4u);
    EXPECT_LT(statistics().stacks_mapped, mapped);
    burst();  // the pool grows again
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Stacks);

}  // namespace
}  // namespace trueasync::test
