// The context switch as the scheduler uses it, which also switches the C++ exception state.
#include <cstddef>

#include "context/context.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace bench::ours {
namespace {

using trueasync::detail::Context;
using trueasync::detail::CxaEhGlobals;
using trueasync::detail::switch_context;

alignas(64) std::byte stack[64 * 1024];
Context here;
Context there;
CxaEhGlobals* globals;

void switch_back(void*) {
  for (;;) switch_context(there, here, globals);
}

}  // namespace

// A round trip is two switches.
void raw_switch(std::uint64_t) {
  const std::uint64_t pairs = operations_or(100'000'000) / 2;
  globals = trueasync::detail::ExceptionState::globals();
  trueasync::detail::make_context(there, stack, stack + sizeof stack, switch_back, nullptr);
  const Stopwatch watch;
  for (std::uint64_t i = 0; i < pairs; ++i) switch_context(here, there, globals);
  report(watch.elapsed_ns() / static_cast<double>(pairs * 2));
}

}  // namespace bench::ours
