// Growth of the cost of an operation from a thousand to a million coroutines. TrueAsync and the baseline run the same code:
// the growth of the baseline shows the share of cache and TLB misses.
//
// `Runtime` has: Handle, spawn(function) -> Handle, join(Handle&), yield(), sleep(microseconds). Its ready queue must be
// FIFO.
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

// Every coroutine yields once before the measurement, so its stack is resident. In a FIFO ready queue, one yield of the main
// coroutine lets each coroutine yield once.
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

// Spawn, run, finish and join. All coroutines of a batch are live at the same time.
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
  note("first batch, with the page faults of new stacks: %.0f ns", first);
  report_growth(small, spawn_cost_ns(runtime, growth_large(), 2));
}

// CPU time of a sleep. A thousand coroutines sleep 0–1 ms, a million 0–1 s. The number of timers due per millisecond is the
// same, so the event loop's own cost per timer is the same too.
template <class Runtime>
double timer_cost_ns(Runtime& runtime, std::uint64_t coroutines, std::uint64_t rounds) {
  std::vector<typename Runtime::Handle> handles;
  handles.reserve(coroutines);
  for (std::uint64_t i = 0; i < coroutines; ++i) {
    handles.push_back(runtime.spawn([&runtime, i, coroutines, rounds] {
      runtime.yield();  // makes the stack resident before the measurement
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
