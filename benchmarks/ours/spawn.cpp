#include <trueasync/trueasync.hpp>
#include <vector>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace ta = trueasync;

namespace bench::ours {
namespace {

void spawn_batches(std::uint64_t batch, std::uint64_t batches) {
  std::vector<ta::Task<void>> tasks;
  tasks.reserve(batch);
  for (std::uint64_t i = 0; i < batches; ++i) {
    for (std::uint64_t k = 0; k < batch; ++k) tasks.push_back(ta::spawn([] {}));
    for (auto& task : tasks) ta::await(task);
    tasks.clear();
  }
}

}  // namespace

void spawn(std::uint64_t batch) {
  const std::uint64_t batches = operations_or(4'000'000) / batch;
  run_in_runtime([=] {
    spawn_batches(batch, 100);
    const Stopwatch watch;
    spawn_batches(batch, batches);
    report(watch.elapsed_ns() / static_cast<double>(batches * batch));
  });
}

}  // namespace bench::ours
