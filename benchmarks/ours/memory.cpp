#include <chrono>
#include <trueasync/trueasync.hpp>
#include <vector>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace ta = trueasync;

namespace bench::ours {

// Default stacks with guard pages. Every coroutine awaits a task that never finishes.
void memory(std::uint64_t coroutines) {
  const std::uint64_t count = operations_or(coroutines);
  run_in_runtime([=] {
    auto gate = ta::spawn([] { ta::delay(std::chrono::hours(1)); });
    std::uint64_t started = 0;
    std::vector<ta::Task<void>> tasks(count);  // allocated before the first measurement
    const Memory before = Memory::now();
    for (auto& task : tasks) {
      task = ta::spawn([&gate, &started] {
        ++started;
        ta::await(gate);
      });
    }
    while (started < count) ta::yield();
    report_memory_per_coroutine(before, count);
    exit_without_teardown();
  });
}

}  // namespace bench::ours
