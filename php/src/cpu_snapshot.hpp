// Async\CpuSnapshot and the CPU counters that it contains.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php {

// Times in nanoseconds. Each counter has its own starting point.
struct CpuCounters {
  zend_long wall = 0;
  zend_long process_user = 0;
  zend_long process_system = 0;
  zend_long system_idle = 0;
  zend_long system_busy = 0;
  zend_long cpus = 1;
};
CpuCounters read_cpu_counters() noexcept;

void register_cpu_snapshot();

}  // namespace trueasync::php
