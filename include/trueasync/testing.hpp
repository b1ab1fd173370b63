// For tests: the same scheduler on a simulated world. Time is virtual and jumps, so an hour's delay takes no time; the
// order of ready coroutines comes from a seed, and the same seed gives the same run, exactly.
//
//   for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
//     ta::testing::Simulation simulation({.seed = seed, .order = ta::testing::Order::random});
//     simulation.run([&] { scenario(); });          // throws what the scenario throws: print the seed and replay it
//   }
//
// Owns: a runtime. Threads: one per simulation. Errors: as Runtime::run.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "trueasync/export.hpp"
#include "trueasync/runtime.hpp"

namespace trueasync::testing {

enum class Order : std::uint8_t {
  fifo,    // as in production
  random,  // any ready coroutine, uniformly
  pct,     // random priorities that change at `depth` - 1 random steps: finds bugs of that depth with known probability
};

struct SimulationOptions {
  std::uint64_t seed = 1;
  Order order = Order::random;
  unsigned depth = 3;          // pct
  std::uint64_t steps = 1000;  // pct: about how many scheduling steps the scenario takes
  RuntimeOptions runtime = {};
};

class TRUEASYNC_EXPORT Simulation {
 public:
  explicit Simulation(SimulationOptions options = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  template <class F>
  auto run(F&& function, SourceLocation location = SourceLocation::current()) {
    return runtime().run(std::forward<F>(function), location);
  }

  Runtime& runtime() noexcept;
  // Virtual time since the simulation began.
  std::chrono::nanoseconds now() const noexcept;
  // Lets time pass without anybody waiting for it, as CPU work would.
  void advance(std::chrono::nanoseconds by) noexcept;
  // A simulated descriptor (any number; no real one is touched) is readable (1), writable (2) or neither (0).
  void set_ready(int descriptor, unsigned readiness);
  void raise(int signal);
  // A fingerprint of the schedule so far: equal for equal runs.
  std::uint64_t schedule_hash() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trueasync::testing
