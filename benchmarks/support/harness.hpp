// What every measuring program of ours and of the C++ peers shares: clocks, memory readings, the delays to sleep, and
// the interface to the driver.
//
// A program is called `<program> <work>`, does that work once and prints one line `RESULT <number>` (ns per operation,
// bytes, CPU ms or a ratio; the driver's list says which). Lines `NOTE <text>` explain a result. The environment
// variable N sets how many operations (or coroutines) the work has. An unknown work exits with 2.
//
// Threads: one. Errors: a failure of the system ends the program with a message; the driver reports it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bench {

// One work of a program: its name in the driver's list, what to call, and with what size.
struct Work {
  const char* name;
  void (*run)(std::uint64_t size);
  std::uint64_t size;
};

// The whole main function: finds the work named on the command line and runs it.
int run_workload(int argc, char** argv, std::span<const Work> works);

// N from the environment, or `fallback`.
std::uint64_t operations_or(std::uint64_t fallback);

void report(double result);
[[gnu::format(printf, 1, 2)]] void note(const char* format, ...);

class Stopwatch {
 public:
  double elapsed_ns() const {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// User and system time of this process so far.
double cpu_ms();

// What the process keeps in memory: its resident pages, and the page tables that map them.
struct Memory {
  double resident_bytes = 0;
  double page_table_bytes = 0;

  static Memory now();
};

// Reports the growth of memory since `before`, per coroutine.
void report_memory_per_coroutine(const Memory& before, std::uint64_t coroutines);

// `count` delays of 0 … 100,000 microseconds: the same sequence in every peer, whatever its language.
std::vector<std::uint32_t> sleep_delays_us(std::size_t count);

// Ends the process at once. Tearing down a million suspended coroutines is not part of any work.
[[noreturn]] void exit_without_teardown();

}  // namespace bench
