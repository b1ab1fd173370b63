// Async\CpuSnapshot, and what it is made from.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php {

struct CpuCounters {
  zend_long wall = 0;  // all in nanoseconds, from beginnings of their own
  zend_long process_user = 0;
  zend_long process_system = 0;
  zend_long system_idle = 0;
  zend_long system_busy = 0;
  zend_long cpus = 1;
};
CpuCounters read_cpu_counters() noexcept;

void register_cpu_snapshot();

}  // namespace trueasync::php
