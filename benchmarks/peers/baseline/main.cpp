// The workloads on the baseline runtime, which has only a ready queue, a context switch and a timer heap.
#include <chrono>
#include <vector>

#include "ping_pong.hpp"
#include "raw_switch.hpp"
#include "scheduler.hpp"
#include "support/growth.hpp"
#include "support/harness.hpp"

namespace {

using baseline::Coroutine;
using baseline::scheduler;

// Spawns `function`, which must outlive the coroutine.
template <class F>
Coroutine* spawn_borrowed(F& function) {
  return scheduler.spawn([](void* argument) { (*static_cast<F*>(argument))(); }, &function);
}

void yield(std::uint64_t count) {
  const std::uint64_t each = bench::operations_or(20'000'000) / count;
  auto body = [each] {
    for (std::uint64_t k = 0; k < each; ++k) scheduler.yield();
  };
  std::vector<Coroutine*> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(spawn_borrowed(body));
  const bench::Stopwatch watch;
  for (Coroutine* coroutine : all) scheduler.join(coroutine);
  bench::report(watch.elapsed_ns() / static_cast<double>(each * count));
}

void spawn_batches(std::uint64_t batch, std::uint64_t batches) {
  auto body = [] {};
  std::vector<Coroutine*> all(batch);
  for (std::uint64_t i = 0; i < batches; ++i) {
    for (Coroutine*& coroutine : all) coroutine = spawn_borrowed(body);
    for (Coroutine* coroutine : all) scheduler.join(coroutine);
  }
}

void spawn(std::uint64_t batch) {
  const std::uint64_t batches = bench::operations_or(4'000'000) / batch;
  spawn_batches(batch, 100);
  const bench::Stopwatch watch;
  spawn_batches(batch, batches);
  bench::report(watch.elapsed_ns() / static_cast<double>(batches * batch));
}

void memory(std::uint64_t size) {
  const std::uint64_t count = bench::operations_or(size);
  Coroutine* waiting = nullptr;
  auto body = [&waiting] {
    scheduler.current()->next = waiting;
    waiting = scheduler.current();
    scheduler.suspend();
  };
  const bench::Memory before = bench::Memory::now();
  for (std::uint64_t i = 0; i < count; ++i) spawn_borrowed(body);
  scheduler.yield();
  bench::report_memory_per_coroutine(before, count);
  bench::exit_without_teardown();
}

void sleep(std::uint64_t sleeps) {
  const std::uint64_t count = bench::operations_or(100'000);
  struct Sleeper {
    const std::uint32_t* delays;
    std::uint64_t sleeps;
    void operator()() const {
      for (std::uint64_t k = 0; k < sleeps; ++k) scheduler.sleep_us(delays[k]);
    }
  };
  const double start = bench::cpu_ms();
  const std::vector<std::uint32_t> delays = bench::sleep_delays_us(count * sleeps);
  scheduler.reserve_timers(count);
  std::vector<Sleeper> sleepers(count);
  std::vector<Coroutine*> all(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    sleepers[i] = {&delays[i * sleeps], sleeps};
    all[i] = spawn_borrowed(sleepers[i]);
  }
  for (Coroutine* coroutine : all) scheduler.join(coroutine);
  bench::report(bench::cpu_ms() - start);
}

// For the growth workloads. A function is copied through the heap to the coroutine's first frame only if it has captures.
struct BaselineRuntime {
  using Handle = Coroutine*;

  template <class F>
  Handle spawn(F function) {
    if constexpr (std::is_empty_v<F>) {
      return scheduler.spawn([](void*) { F{}(); }, nullptr);
    } else {
      auto run = [](void* argument) {
        auto* owned = static_cast<F*>(argument);
        F body = *owned;
        delete owned;
        body();
      };
      return scheduler.spawn(run, new F(function));
    }
  }
  void join(Handle handle) { scheduler.join(handle); }
  void yield() { scheduler.yield(); }
  void sleep(std::chrono::microseconds time) { scheduler.sleep_us(static_cast<std::uint64_t>(time.count())); }
};

template <void (*Measure)(BaselineRuntime&)>
void growth(std::uint64_t) {
  BaselineRuntime runtime;
  scheduler.reserve_timers(bench::growth_large());
  Measure(runtime);
}

constexpr bench::Workload kWorkloads[] = {
    {"switch", baseline::measure_raw_switch, 0},
    {"yield-2", yield, 2},
    {"yield-16", yield, 16},
    {"yield-100", yield, 100},
    {"yield-1000", yield, 1000},
    {"yield-10000", yield, 10'000},
    {"spawn", spawn, 100},
    {"memory-1m", memory, 1'000'000},
    {"sleep-100k", sleep, 1},
    {"sleep-100k-x5", sleep, 5},
    {"trigger", baseline::measure_ping_pong, 0},
    {"growth-spawn", growth<bench::growth_spawn<BaselineRuntime>>, 0},
    {"growth-yield", growth<bench::growth_yield<BaselineRuntime>>, 0},
    {"growth-timer", growth<bench::growth_timer<BaselineRuntime>>, 0},
};

}  // namespace

int main(int argc, char** argv) { return bench::run_workload(argc, argv, kWorkloads); }
