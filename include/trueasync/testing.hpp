// testing.hpp: runs the scheduler on a simulated reactor, for tests. Time is virtual and jumps to the next timer, so a
// delay of an hour takes no real time. The order of ready coroutines is derived from a seed; the same seed reproduces
// the same schedule.
//
//   for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
//     ta::testing::Simulation simulation({.seed = seed, .order = ta::testing::Order::random});
//     simulation.run([&] { scenario(); });          // throws the scenario's error: print the seed and replay it
//   }
//
// Ownership: a runtime.
// Thread safety: one thread per simulation.
// Errors: those of Runtime::run.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/runtime.hpp"

namespace trueasync::testing {

// Order: how the next ready coroutine is chosen.
enum class Order : std::uint8_t {
  fifo,    // FIFO order, as in production
  random,  // uniformly random
  // Random priorities that change at `depth` - 1 random steps (probabilistic concurrency testing): finds bugs of that
  // depth with a known probability.
  pct,
};

// SimulationOptions: options of a simulation.
struct SimulationOptions {
  std::uint64_t seed = 1;       // default 1
  Order order = Order::random;  // default: random
  unsigned depth = 3;           // bug depth for Order::pct; default 3
  std::uint64_t steps = 1000;   // expected scheduling steps for Order::pct; default 1000
  RuntimeOptions runtime = {};
};

// Simulation: a runtime on a simulated reactor.
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
  // The virtual time since the simulation was created.
  std::chrono::nanoseconds now() const noexcept;
  // Advances the virtual time as CPU-bound work would.
  void advance(std::chrono::nanoseconds by) noexcept;
  // Sets the readiness of a simulated descriptor, which may be any number, until the next call.
  void set_ready(int descriptor, Readiness readiness);
  void clear_ready(int descriptor);
  void raise(int signal);
  // A fingerprint of the schedule so far, equal for equal runs.
  std::uint64_t schedule_hash() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trueasync::testing
