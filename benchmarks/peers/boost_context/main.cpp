// Boost.Context: the switch jump_fcontext, on which its classes and Boost.Fiber are built.
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#include "support/harness.hpp"

namespace {

namespace context = boost::context::detail;

alignas(64) std::byte stack[64 * 1024];

[[noreturn]] void answer(context::transfer_t caller) {
  for (;;) caller = context::jump_fcontext(caller.fctx, nullptr);
}

// A round trip is two switches.
void raw_switch(std::uint64_t) {
  const std::uint64_t pairs = bench::operations_or(100'000'000) / 2;
  context::transfer_t other =
      context::jump_fcontext(context::make_fcontext(stack + sizeof stack, sizeof stack, answer), nullptr);
  const bench::Stopwatch watch;
  for (std::uint64_t i = 0; i < pairs; ++i) other = context::jump_fcontext(other.fctx, nullptr);
  bench::report(watch.elapsed_ns() / static_cast<double>(pairs * 2));
}

constexpr bench::Workload kWorkloads[] = {{"switch", raw_switch, 0}};

}  // namespace

int main(int argc, char** argv) { return bench::run_workload(argc, argv, kWorkloads); }
