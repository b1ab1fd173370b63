// LeakReport counts per runtime. Counts of the whole process would include the runtimes of other threads.
#include <gtest/gtest.h>

#include <semaphore>
#include <thread>

#include "support/reactor_test.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// Spawns suspended coroutines, each with a timer.
std::vector<Task<void>> spawn_sleepers(std::size_t count) {
  std::vector<Task<void>> tasks;
  for (std::size_t i = 0; i < count; ++i) tasks.push_back(spawn([] { delay(1h); }));
  yield();
  return tasks;
}

void expect_sleepers(const Runtime& runtime, std::size_t count) {
  const LeakReport report = runtime.leak_report();
  EXPECT_EQ(report.coroutines, count);
  EXPECT_EQ(report.timers, count);
}

void cancel_all(std::vector<Task<void>>& tasks) {
  for (auto& task : tasks) task.cancel();
  for (auto& task : tasks) EXPECT_THROW(await(task), Cancelled);
}

// TE-02
TEST(LeakReportTest, CountsOnlyItsOwnRuntime) {
  std::binary_semaphore other_is_ready{0};
  std::binary_semaphore checked{0};
  std::thread other([&] {
    Runtime runtime;
    runtime.run([&] {
      auto tasks = spawn_sleepers(7);
      other_is_ready.release();
      checked.acquire();
      expect_sleepers(runtime, 7);
      cancel_all(tasks);
    });
    expect_no_leaks(runtime);
  });
  other_is_ready.acquire();
  {
    Runtime runtime;
    runtime.run([&] {
      auto tasks = spawn_sleepers(3);
      expect_sleepers(runtime, 3);
      cancel_all(tasks);
    });
    expect_no_leaks(runtime);  // although the other runtime has live coroutines
  }
  checked.release();
  other.join();
}

}  // namespace
}  // namespace trueasync::test
