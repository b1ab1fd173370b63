#include <trueasync/trueasync.hpp>
#include <vector>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace ta = trueasync;

namespace bench::ours {

void yield(std::uint64_t coroutines) {
  const std::uint64_t each = operations_or(20'000'000) / coroutines;
  run_in_runtime([=] {
    std::vector<ta::Task<void>> tasks;
    for (std::uint64_t i = 0; i < coroutines; ++i) {
      tasks.push_back(ta::spawn([each] {
        for (std::uint64_t k = 0; k < each; ++k) ta::yield();
      }));
    }
    const Stopwatch watch;
    for (auto& task : tasks) ta::await(task);
    report(watch.elapsed_ns() / static_cast<double>(each * coroutines));
  });
}

}  // namespace bench::ours
