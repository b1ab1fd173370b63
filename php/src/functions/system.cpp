// Statistics of the machine and the runtime: Async\available_parallelism(), cpu_usage(), loadavg(), runtime_stats().
#include <uv.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "cpu_snapshot.hpp"
#include "engine/runtime.hpp"

using namespace trueasync;
using namespace trueasync::php;

namespace {

// The number of processors that the control group of a container allows; 0: no limit.
double cgroup_limit() noexcept {
  double limit = 0;
  if (std::FILE* file = std::fopen("/sys/fs/cgroup/cpu.max", "re")) {
    double quota = 0;
    double period = 0;
    if (std::fscanf(file, "%lf %lf", &quota, &period) == 2 && period > 0) limit = quota / period;
    std::fclose(file);
  }
  return limit;
}

bool read_load(zval* target) {
  double load[3] = {};
  uv_loadavg(load);
  array_init_size(target, 3);
  for (double average : load) add_next_index_double(target, average);
  return true;
}

std::optional<CpuCounters> last_counters;  // of the previous cpu_usage() in this process

double ratio(zend_long part, zend_long whole) noexcept {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

ZEND_FUNCTION(Async_available_parallelism) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto count = static_cast<zend_long>(uv_available_parallelism());
  if (const double limit = cgroup_limit(); limit > 0) {
    count = std::min(count, static_cast<zend_long>(std::ceil(limit)));
  }
  RETURN_LONG(std::max<zend_long>(count, 1));
}

ZEND_FUNCTION(Async_cpu_usage) {
  ZEND_PARSE_PARAMETERS_NONE();
  const CpuCounters now = read_cpu_counters();
  const CpuCounters before = std::exchange(last_counters, now).value_or(now);
  const zend_long wall = now.wall - before.wall;
  const zend_long process = now.process_user - before.process_user + now.process_system - before.process_system;
  const zend_long busy = now.system_busy - before.system_busy;
  const zend_long all = busy + now.system_idle - before.system_idle;
  const double cores = ratio(process, wall);
  array_init(return_value);
  add_assoc_double(return_value, "process_cores", cores);
  add_assoc_double(return_value, "process_percent",
                   std::clamp(100 * cores / static_cast<double>(now.cpus), 0.0, 100.0));
  add_assoc_double(return_value, "system_percent", std::clamp(100 * ratio(busy, all), 0.0, 100.0));
  add_assoc_long(return_value, "cpu_count", now.cpus);
  add_assoc_double(return_value, "interval_sec", static_cast<double>(wall) / 1e9);
  zval load;
  if (read_load(&load)) add_assoc_zval(return_value, "loadavg", &load);
}

ZEND_FUNCTION(Async_loadavg) {
  ZEND_PARSE_PARAMETERS_NONE();
  read_load(return_value);
}

ZEND_FUNCTION(Async_runtime_stats) {
  ZEND_PARSE_PARAMETERS_NONE();
  const Statistics now = engine::scheduler ? engine::scheduler->statistics() : Statistics();
  array_init(return_value);
  const std::pair<const char*, std::uint64_t> statistics[] = {
      {"spawned", now.spawned},
      {"finished", now.finished},
      {"alive", now.alive},
      {"ready", now.ready},
      {"switches", now.switches},
      {"direct_switches", now.direct_switches},
      {"scheduler_switches", now.scheduler_switches},
      {"started_without_switch", now.started_without_switch},
      {"resumed_in_place", now.resumed_in_place},
      {"ready_without_suspend", now.ready_without_suspend},
      {"polls_without_wait", now.polls_without_wait},
      {"polls_blocking", now.polls_blocking},
      {"microtasks", now.microtasks},
      {"deadlocks", now.deadlocks},
      {"stacks_in_use", now.stacks_in_use},
      {"stacks_warm", now.stacks_warm},
      {"stacks_mapped", now.stacks_mapped},
  };
  for (const auto& [name, value] : statistics) add_assoc_long(return_value, name, static_cast<zend_long>(value));
}
