// Shared by the benchmark programs of TrueAsync and of the C++ peers: clocks, memory measurement, sleep delays and the
// interface to the driver.
//
// A program is called as `<program> <workload>`. It runs the workload once and prints one line `RESULT <number>`; the unit
// is in the driver's list of workloads. Lines `NOTE <text>` explain the result. The environment variable N sets the
// number of operations or coroutines. The exit code for an unknown workload is 2.
//
// Thread safety: single-threaded.
// Errors: a failed system call ends the program with a message, which the driver reports.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bench {

// A workload of a program: its name in the driver's list, the function and the function's argument.
struct Workload {
  const char* name;
  void (*run)(std::uint64_t size);
  std::uint64_t size;
};

// The main function: runs the workload named on the command line. Returns the exit code.
int run_workload(int argc, char** argv, std::span<const Workload> workloads);

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

// User and system time of this process.
double cpu_ms();

// Memory use of the process: resident pages and their page tables.
struct Memory {
  double resident_bytes = 0;
  double page_table_bytes = 0;

  static Memory now();
};

// Reports the growth of memory since `before`, divided by `coroutines`.
void report_memory_per_coroutine(const Memory& before, std::uint64_t coroutines);

// `count` delays of 0 … 100,000 microseconds. Every peer uses the same sequence.
std::vector<std::uint32_t> sleep_delays_us(std::size_t count);

// Exits without destructors: destroying a million suspended coroutines is not part of any workload.
[[noreturn]] void exit_without_teardown();

}  // namespace bench
