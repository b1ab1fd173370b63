// Overhead of a replaced call that does not suspend: outside a runtime (the result) and in a coroutine (a note).
#include <algorithm>
#include <trueasync/trueasync.hpp>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

extern "C" void call_in_a_loop(unsigned long count);

namespace ta = trueasync;

namespace bench::ours {

namespace {

// Many short rounds, because the overhead is smaller than the noise of a busy machine.
constexpr int kRounds = 200;

double nanoseconds_per_call(std::uint64_t count) {
  double best = 1e9;
  for (int i = 0; i < kRounds; ++i) {
    const Stopwatch watch;
    call_in_a_loop(count);
    best = std::min(best, watch.elapsed_ns() / static_cast<double>(count));
  }
  return best;
}

}  // namespace

void interpose(std::uint64_t) {
  const std::uint64_t count = operations_or(10'000'000) / kRounds;
  const double plain = nanoseconds_per_call(count);
  ta::blocking::enable({"blocking_loop"});
  const double replaced = nanoseconds_per_call(count);
  run_in_runtime([&] { note("in a coroutine: %.2f ns more", nanoseconds_per_call(count) - plain); });
  ta::blocking::disable();
  note("original call: %.2f ns", plain);
  report(std::max(0.0, replaced - plain));
}

}  // namespace bench::ours
