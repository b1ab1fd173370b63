// The same work of several threads on one core, where they interrupt each other at any place, and on several, where they
// run at the same time: what one of them hides the other shows.
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

std::vector<int> own_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  EXPECT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  }
  return cores;
}

void stay_on(int core) {
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  CPU_SET(core, &wanted);
  EXPECT_EQ(::sched_setaffinity(0, sizeof wanted, &wanted), 0);
}

// Each thread with a runtime of its own on its core. They send to each other's channels, and use a pool of workers, which
// stay on the core of whoever made them.
class Machine {
 public:
  static constexpr int kThreads = 4;
  static constexpr int kEach = 200;

  void run_on(const std::vector<int>& cores) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        stay_on(cores[i % cores.size()]);
        Runtime runtime;
        runtime.run([&] { work(i); });
        EXPECT_TRUE(runtime.leak_report().empty());
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  std::atomic<long> sum{0};
  std::atomic<int> received{0};
  std::atomic<int> cores_seen[CPU_SETSIZE] = {};

 private:
  void work(std::size_t own) {
    auto consumer = spawn([&] {
      for (int i = 0; i < kEach; ++i) {
        sum += channels_[own].recv();
        ++received;
      }
    });
    ThreadPool pool({.workers = 1});
    for (int i = 0; i < kEach; ++i) {
      const int value = i % 8 == 0 ? await(pool.submit([i] { return i; })) : i;
      channels_[(own + 1) % kThreads].send(value);
      cores_seen[::sched_getcpu()] = 1;
    }
    await(consumer);
  }

  std::vector<ThreadChannel<int>> channels_ = std::vector<ThreadChannel<int>>{
      ThreadChannel<int>(2), ThreadChannel<int>(2), ThreadChannel<int>(2), ThreadChannel<int>(2)};
};

class Cores : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Cores, NothingIsLostHoweverManyThereAre) {
  // TE-05
  std::vector<int> cores = own_cores();
  if (GetParam() > 1 && cores.size() == 1) GTEST_SKIP() << "there is one core only";
  cores.resize(std::min(cores.size(), GetParam()));
  Machine machine;
  machine.run_on(cores);
  EXPECT_EQ(machine.received, Machine::kThreads * Machine::kEach);
  EXPECT_EQ(machine.sum, Machine::kThreads * (Machine::kEach * (Machine::kEach - 1) / 2));
  // They were where they should have been.
  int seen = 0;
  for (const int core : cores) seen += machine.cores_seen[core];
  EXPECT_EQ(seen, static_cast<int>(cores.size()));
  EXPECT_EQ(std::accumulate(std::begin(machine.cores_seen), std::end(machine.cores_seen), 0), seen);
}

INSTANTIATE_TEST_SUITE_P(Machines, Cores, ::testing::Values(1, Machine::kThreads),
                         [](const auto& most) { return most.param == 1 ? "WithOne" : "WithSeveral"; });

}  // namespace
}  // namespace trueasync::test
