#include <chrono>
#include <trueasync/trueasync.hpp>
#include <vector>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace ta = trueasync;

namespace bench::ours {

void sleep(std::uint64_t sleeps) {
  const std::uint64_t count = operations_or(100'000);
  run_in_runtime([=] {
    const double start = cpu_ms();
    const std::vector<std::uint32_t> delays = sleep_delays_us(count * sleeps);
    std::vector<ta::Task<void>> tasks;
    tasks.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      tasks.push_back(ta::spawn([&delays, i, sleeps] {
        for (std::uint64_t k = 0; k < sleeps; ++k) ta::delay(std::chrono::microseconds(delays[i * sleeps + k]));
      }));
    }
    for (auto& task : tasks) ta::await(task);
    report(cpu_ms() - start);
  });
}

}  // namespace bench::ours
