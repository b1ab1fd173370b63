// What is left is counted per runtime: a figure of the whole process would tell of others' things, and of a leak where
// there is none as soon as tests run beside each other.
#include <gtest/gtest.h>

#include <semaphore>
#include <thread>

#include "support/reactor_test.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// Suspended coroutines, each with a timer.
std::vector<Task<void>> sleepers(std::size_t count) {
  std::vector<Task<void>> tasks;
  for (std::size_t i = 0; i < count; ++i) tasks.push_back(spawn([] { delay(1h); }));
  yield();
  return tasks;
}

void expect_these_alive(const Runtime& runtime, std::size_t count) {
  const LeakReport ledger = runtime.leak_report();
  EXPECT_EQ(ledger.coroutines, count);
  EXPECT_EQ(ledger.timers, count);
}

void end(std::vector<Task<void>>& tasks) {
  for (auto& task : tasks) task.cancel();
  for (auto& task : tasks) EXPECT_THROW(await(task), Cancelled);
}

// TE-02
TEST(LedgerTest, CountsWhatItsOwnRuntimeHas) {
  std::binary_semaphore others_are_there{0};
  std::binary_semaphore looked_at{0};
  std::thread other([&] {
    Runtime runtime;
    runtime.run([&] {
      auto tasks = sleepers(7);
      others_are_there.release();
      looked_at.acquire();
      expect_these_alive(runtime, 7);
      end(tasks);
    });
    expect_no_leaks(runtime);
  });
  others_are_there.acquire();
  {
    Runtime runtime;
    runtime.run([&] {
      auto tasks = sleepers(3);
      expect_these_alive(runtime, 3);
      end(tasks);
    });
    expect_no_leaks(runtime);  // though the other one has all of its own
  }
  looked_at.release();
  other.join();
}

}  // namespace
}  // namespace trueasync::test
