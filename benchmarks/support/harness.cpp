#include "support/harness.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace bench {
namespace {

double to_ms(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

// A field of /proc/self/status, converted from kB.
double status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(key, 0) == 0) return std::strtod(line.c_str() + key.size(), nullptr) * 1024;
  }
  std::fprintf(stderr, "/proc/self/status has no field %s\n", key.c_str());
  std::exit(1);
}

}  // namespace

int run_workload(int argc, char** argv, std::span<const Workload> workloads) {
  const char* wanted = argc == 2 ? argv[1] : "";
  for (const Workload& workload : workloads) {
    if (std::strcmp(workload.name, wanted) != 0) continue;
    workload.run(workload.size);
    return 0;
  }
  std::fprintf(stderr, "usage: %s <workload>; workloads:", argv[0]);
  for (const Workload& workload : workloads) std::fprintf(stderr, " %s", workload.name);
  std::fprintf(stderr, "\n");
  return 2;
}

std::uint64_t operations_or(std::uint64_t fallback) {
  const char* text = std::getenv("N");
  if (text == nullptr) return fallback;
  const std::uint64_t value = std::strtoull(text, nullptr, 10);
  if (value > 0) return value;
  std::fprintf(stderr, "N must be a positive number (got \"%s\")\n", text);
  std::exit(2);
}

void report(double result) {
  std::printf("RESULT %.3f\n", result);
  std::fflush(stdout);
}

void note(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::printf("NOTE ");
  std::vprintf(format, arguments);
  std::printf("\n");
  va_end(arguments);
}

double cpu_ms() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return to_ms(usage.ru_utime) + to_ms(usage.ru_stime);
}

Memory Memory::now() { return {status_bytes("VmRSS:"), status_bytes("VmPTE:")}; }

void report_memory_per_coroutine(const Memory& before, std::uint64_t coroutines) {
  const Memory after = Memory::now();
  const double count = static_cast<double>(coroutines);
  const double resident = (after.resident_bytes - before.resident_bytes) / count;
  const double page_tables = (after.page_table_bytes - before.page_table_bytes) / count;
  note("%.0f bytes resident + %.0f of page tables", resident, page_tables);
  report(resident + page_tables);
}

std::vector<std::uint32_t> sleep_delays_us(std::size_t count) {
  std::vector<std::uint32_t> delays(count);
  std::uint32_t state = 12345;
  for (std::uint32_t& delay : delays) {
    state = state * 1664525u + 1013904223u;
    delay = (state >> 8) % 100001;
  }
  return delays;
}

void exit_without_teardown() {
  std::fflush(stdout);
  _exit(0);
}

}  // namespace bench
