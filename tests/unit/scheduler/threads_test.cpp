// One scheduler per thread: runtimes on several threads share nothing.
#include <thread>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Threads : public ReactorTest {};

int run_workload() {
  const auto owner_thread = std::this_thread::get_id();
  std::vector<Task<int>> tasks;
  for (int i = 0; i < 50; ++i) {
    tasks.push_back(spawn([i, owner_thread] {
      for (int round = 0; round < 20; ++round) {
        if (round % 5 == 0) delay(std::chrono::microseconds(100));
        yield();
        EXPECT_EQ(std::this_thread::get_id(), owner_thread);
      }
      try {
        yield();
        throw std::runtime_error("local");
      } catch (const std::runtime_error&) {
        yield();
      }
      return i;
    }));
  }
  int sum = 0;
  for (auto& task : tasks) sum += await(task);
  return sum;
}

// SCH-09
TEST_P(Threads, RuntimesOfSeveralThreadsRunConcurrently) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 3; ++round) {
        auto runtime = make_runtime(GetParam());
        EXPECT_EQ(runtime->run(run_workload), 50 * 49 / 2);
        EXPECT_EQ(runtime->statistics().spawned, 50u);
        EXPECT_EQ(runtime->statistics().finished, 50u);
        expect_no_leaks(*runtime);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

// SCH-09
TEST_P(Threads, SecondRuntimeOnThreadThrowsMisuseError) {
  run([&] {
    auto second = make_runtime(GetParam());
    EXPECT_THROW(second->run([] {}), MisuseError);
    // The failed run() has no side effects.
    EXPECT_EQ(await(spawn([] { return 3; })), 3);
  });
  auto after = make_runtime(GetParam());
  EXPECT_EQ(after->run([] { return 4; }), 4);
}

// SCH-09
TEST_P(Threads, CallsFromAnotherThreadThrowMisuseError) {
  run([&] {
    auto task = spawn([] { delay(1h); });
    yield();
    std::thread([&] {
      EXPECT_THROW(yield(), MisuseError);
      EXPECT_THROW(delay(1ms), MisuseError);
      EXPECT_THROW(spawn([] {}), MisuseError);
      EXPECT_THROW(await(task), MisuseError);
      EXPECT_THROW(task.cancel(), MisuseError);
      EXPECT_THROW(current_coroutine(), MisuseError);
      auto runtime = make_runtime(GetParam());
      runtime->run([&] {
        try {
          await(task);
          FAIL() << "awaited a coroutine of another thread";
        } catch (const MisuseError& error) {
          EXPECT_NE(std::string(error.what()).find("another thread"), std::string::npos);
        }
      });
    }).join();
    EXPECT_EQ(task.coroutine().state(), CoroutineState::suspended);
    task.cancel();
  });
}

// SCH-09 EVT-01
TEST_P(Threads, TriggerFiredByAnotherThreadWakes) {
  run([] {
    Trigger trigger;
    std::thread other([&] { trigger.fire(); });
    trigger.wait();
    other.join();
  });
}

// SCH-09
TEST_P(Threads, RuntimeMayRunAgainOnAnotherThread) {
  auto runtime = make_runtime(GetParam());
  EXPECT_EQ(runtime->run(run_workload), 50 * 49 / 2);
  EXPECT_EQ(runtime->run(run_workload), 50 * 49 / 2);
  std::thread([&] { EXPECT_EQ(runtime->run(run_workload), 50 * 49 / 2); }).join();
  expect_no_leaks(*runtime);
  EXPECT_EQ(runtime->statistics().spawned, 150u);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Threads);

}  // namespace
}  // namespace trueasync::test
