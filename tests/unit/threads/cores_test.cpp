// Runs the same workload on several threads, first on one core and then on several. On one core the threads preempt
// each other at any point; on several they run in parallel. Each finds races that the other hides.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

std::vector<int> allowed_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  EXPECT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  }
  return cores;
}

void pin_to_core(int core) {
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  CPU_SET(core, &wanted);
  EXPECT_EQ(::sched_setaffinity(0, sizeof wanted, &wanted), 0);
}

// Each thread has its own runtime and is pinned to a core. It sends to the channel of the next thread and uses a thread
// pool, whose workers inherit the core.
class Workload {
 public:
  static constexpr int kThreads = 4;
  static constexpr int kValuesPerThread = 200;

  void run_on(const std::vector<int>& cores) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        pin_to_core(cores[i % cores.size()]);
        Runtime runtime;
        runtime.run([&] { work(i); });
        EXPECT_TRUE(runtime.leak_report().empty());
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  std::atomic<long> sum{0};
  std::atomic<int> received{0};
  std::atomic<int> used_cores[CPU_SETSIZE] = {};

 private:
  void work(std::size_t own) {
    auto consumer = spawn([&] {
      for (int i = 0; i < kValuesPerThread; ++i) {
        sum += channels_[own].recv();
        ++received;
      }
    });
    ThreadPool pool({.workers = 1});
    for (int i = 0; i < kValuesPerThread; ++i) {
      const int value = i % 8 == 0 ? await(pool.submit([i] { return i; })) : i;
      channels_[(own + 1) % kThreads].send(value);
      used_cores[::sched_getcpu()] = 1;
    }
    await(consumer);
  }

  std::vector<ThreadChannel<int>> channels_ = std::vector<ThreadChannel<int>>{
      ThreadChannel<int>(2), ThreadChannel<int>(2), ThreadChannel<int>(2), ThreadChannel<int>(2)};
};

class CoreCountTest : public ::testing::TestWithParam<std::size_t> {};

// TE-05
TEST_P(CoreCountTest, ThreadsLoseNothing) {
  std::vector<int> cores = allowed_cores();
  if (GetParam() > 1 && cores.size() == 1) GTEST_SKIP() << "only one core is available";
  cores.resize(std::min(cores.size(), GetParam()));
  Workload workload;
  workload.run_on(cores);
  EXPECT_EQ(workload.received, Workload::kThreads * Workload::kValuesPerThread);
  EXPECT_EQ(workload.sum, Workload::kThreads * (Workload::kValuesPerThread * (Workload::kValuesPerThread - 1) / 2));
  // The threads ran on the requested cores and on no other.
  int used = 0;
  for (const int core : cores) used += workload.used_cores[core];
  EXPECT_EQ(used, static_cast<int>(cores.size()));
  EXPECT_EQ(std::accumulate(std::begin(workload.used_cores), std::end(workload.used_cores), 0), used);
}

INSTANTIATE_TEST_SUITE_P(Cores, CoreCountTest, ::testing::Values(1, Workload::kThreads),
                         [](const auto& test) { return test.param == 1 ? "One" : "Several"; });

}  // namespace
}  // namespace trueasync::test
