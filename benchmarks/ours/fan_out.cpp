// A million tasks in a group with a concurrency limit. Each task yields once and returns a number.
#include <trueasync/scope/task_group.hpp>
#include <trueasync/trueasync.hpp>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace ta = trueasync;

namespace bench::ours {

void fan_out(std::uint64_t limit) {
  const std::uint64_t tasks = operations_or(1'000'000);
  run_in_runtime([=] {
    const Stopwatch watch;
    ta::TaskGroup<std::uint64_t> group({.concurrency = limit});
    for (std::uint64_t i = 0; i < tasks; ++i) {
      group.spawn([i] {
        ta::yield();
        return i;
      });
    }
    std::uint64_t sum = 0;
    for (const auto& result : ta::await(group.all())) sum += result.value;
    const double elapsed = watch.elapsed_ns();
    if (sum != tasks * (tasks - 1) / 2) std::abort();
    report(elapsed / static_cast<double>(tasks));
  });
}

}  // namespace bench::ours
