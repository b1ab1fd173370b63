#include "raw_switch.hpp"

#include <algorithm>
#include <cstddef>

#include "support/harness.hpp"
#include "switch.hpp"

namespace baseline {
namespace {

alignas(64) std::byte stack[64 * 1024];
void* here;
void* there;

[[noreturn]] void switch_back_inline() {
  for (;;) inline_switch(&there, &here);
}

[[noreturn]] void switch_back_called() {
  for (;;) baseline_called_switch(&there, &here);
}

[[gnu::noinline]] double inline_ns(std::uint64_t pairs) {
  there = prepare_inline(stack + sizeof stack, switch_back_inline);
  const bench::Stopwatch watch;
  for (std::uint64_t i = 0; i < pairs; ++i) inline_switch(&here, &there);
  return watch.elapsed_ns() / static_cast<double>(pairs * 2);
}

[[gnu::noinline]] double called_ns(std::uint64_t pairs) {
  there = prepare_called(stack + sizeof stack, switch_back_called);
  const bench::Stopwatch watch;
  for (std::uint64_t i = 0; i < pairs; ++i) baseline_called_switch(&here, &there);
  return watch.elapsed_ns() / static_cast<double>(pairs * 2);
}

}  // namespace

void measure_raw_switch(std::uint64_t) {
  const std::uint64_t pairs = bench::operations_or(100'000'000) / 2;
  const double inlined = inline_ns(pairs);
  const double called = called_ns(pairs);
  bench::note("inlined %.2f ns, called %.2f ns", inlined, called);
  bench::report(std::min(inlined, called));
}

}  // namespace baseline
