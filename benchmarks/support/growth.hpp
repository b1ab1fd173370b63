// How the cost of an operation grows from a thousand coroutines to a million. The same code measures us and the floor,
// so that what the floor also loses (cache and TLB misses) can be told from what is ours.
//
// `Runtime` has: Handle, spawn(function) -> Handle, join(Handle&), yield(), sleep(microseconds). It must queue ready
// coroutines first in, first out.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/harness.hpp"

namespace bench {

inline constexpr std::uint64_t kGrowthSmall = 1'000;
inline constexpr std::uint64_t kGrowthLarge = 1'000'000;

inline std::uint64_t growth_large() { return operations_or(kGrowthLarge); }

inline void report_growth(double small_ns, double large_ns) {
  note("%.1f ns at %llu, %.1f ns at %llu", small_ns, static_cast<unsigned long long>(kGrowthSmall), large_ns,
       static_cast<unsigned long long>(growth_large()));
  report(large_ns / small_ns);
}

// Yields: every coroutine yields once before the clock starts, so that its stack is there. As the queue is first in,
// first out, one yield of the main coroutine is one yield of each.
template <class Runtime>
double yield_cost_ns(Runtime& runtime, std::uint64_t coroutines, std::uint64_t rounds) {
  bool stop = false;
  std::vector<typename Runtime::Handle> handles;
  handles.reserve(coroutines);
  for (std::uint64_t i = 0; i < coroutines; ++i) {
    handles.push_back(runtime.spawn([&runtime, &stop] {
      while (!stop) runtime.yield();
    }));
  }
  runtime.yield();
  const Stopwatch watch;
  for (std::uint64_t round = 0; round < rounds; ++round) runtime.yield();
  const double elapsed = watch.elapsed_ns();
  stop = true;
  for (auto& handle : handles) runtime.join(handle);
  return elapsed / static_cast<double>(rounds * (coroutines + 1));
}

template <class Runtime>
void growth_yield(Runtime& runtime) {
  const double small = yield_cost_ns(runtime, kGrowthSmall, 5'000);
  report_growth(small, yield_cost_ns(runtime, growth_large(), 5));
}

// Spawn, run, finish and join, all of a batch alive at once.
template <class Runtime>
double spawn_cost_ns(Runtime& runtime, std::uint64_t batch, std::uint64_t batches) {
  std::vector<typename Runtime::Handle> handles;
  handles.reserve(batch);
  const Stopwatch watch;
  for (std::uint64_t i = 0; i < batches; ++i) {
    for (std::uint64_t k = 0; k < batch; ++k) handles.push_back(runtime.spawn([] {}));
    for (auto& handle : handles) runtime.join(handle);
    handles.clear();
  }
  return watch.elapsed_ns() / static_cast<double>(batch * batches);
}

template <class Runtime>
void growth_spawn(Runtime& runtime) {
  spawn_cost_ns(runtime, kGrowthSmall, 10);
  const double small = spawn_cost_ns(runtime, kGrowthSmall, 2'000);
  const double first = spawn_cost_ns(runtime, growth_large(), 1);
  note("the first time, with the page faults of fresh stacks: %.0f ns", first);
  report_growth(small, spawn_cost_ns(runtime, growth_large(), 2));
}

// Sleeps, in CPU time. A thousand coroutines sleep 0–1 ms, a million 0–1 s: the same number of timers due per
// millisecond, so that the turns of the event loop weigh the same in both.
template <class Runtime>
double timer_cost_ns(Runtime& runtime, std::uint64_t coroutines, std::uint64_t rounds) {
  std::vector<typename Runtime::Handle> handles;
  handles.reserve(coroutines);
  for (std::uint64_t i = 0; i < coroutines; ++i) {
    handles.push_back(runtime.spawn([&runtime, i, coroutines, rounds] {
      runtime.yield();  // its stack is there before the clock starts
      auto state = static_cast<std::uint32_t>(i * 2654435761u);
      for (std::uint64_t round = 0; round < rounds; ++round) {
        state = state * 1664525u + 1013904223u;
        runtime.sleep(std::chrono::microseconds((state >> 8) % coroutines));
      }
    }));
  }
  runtime.yield();
  const double start = cpu_ms();
  for (auto& handle : handles) runtime.join(handle);
  return (cpu_ms() - start) * 1e6 / static_cast<double>(coroutines * rounds);
}

template <class Runtime>
void growth_timer(Runtime& runtime) {
  const double small = timer_cost_ns(runtime, kGrowthSmall, 500);
  report_growth(small, timer_cost_ns(runtime, growth_large(), 2));
}

}  // namespace bench
