#include <trueasync/trueasync.hpp>
#include <vector>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace bench::ours {
namespace {

// Cancels a chain of `depth` scopes with sleeping coroutines. Returns the time per coroutine in ns.
double cancel_tree(std::uint64_t coroutines, std::uint64_t depth) {
  ta::Scope top = ta::Scope::inherit();
  std::vector<ta::Scope> scopes{top};
  while (scopes.size() < depth) scopes.push_back(ta::Scope::inherit(scopes.back()));
  for (std::uint64_t i = 0; i < coroutines; ++i) scopes[i % depth].spawn([] { ta::delay(1h); });
  ta::delay(1ms);
  const Stopwatch watch;
  top.cancel();
  top.await_completion();
  return watch.elapsed_ns() / static_cast<double>(coroutines);
}

constexpr std::uint64_t kChildren = 10;

std::uint64_t skynet_node(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  const std::uint64_t each = leaves / kChildren;
  ta::Task<std::uint64_t> children[kChildren];
  for (std::uint64_t i = 0; i < kChildren; ++i) {
    children[i] = ta::spawn([=] { return skynet_node(first + i * each, each); });
  }
  std::uint64_t sum = 0;
  for (auto& child : children) sum += ta::await(std::move(child));
  return sum;
}

}  // namespace

void scope_cancel(std::uint64_t depth) {
  const std::uint64_t coroutines = operations_or(10'000);
  run_in_runtime([=] {
    cancel_tree(coroutines, depth);
    report(cancel_tree(coroutines, depth));
  });
}

void skynet(std::uint64_t unused) {
  (void)unused;
  std::uint64_t leaves = 1;
  while (leaves < operations_or(1'000'000)) leaves *= kChildren;
  run_in_runtime([=] {
    skynet_node(0, 1000);
    const Stopwatch watch;
    const std::uint64_t sum = skynet_node(0, leaves);
    report(watch.elapsed_ns() / 1e6);
    if (sum != leaves * (leaves - 1) / 2) std::abort();
  });
}

}  // namespace bench::ours
