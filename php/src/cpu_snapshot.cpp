#include "cpu_snapshot.hpp"

#include <sys/resource.h>
#include <uv.h>

#include <initializer_list>

#include "generated/cpu_snapshot_arginfo.h"
#include "support/object.hpp"

namespace trueasync::php {

namespace {

// The state is in the PHP properties.
struct CpuSnapshotObject {
  static constexpr bool kConstructible = false;
};

constexpr zend_long nanoseconds(const timeval& time) noexcept {
  return static_cast<zend_long>(time.tv_sec) * 1'000'000'000 + static_cast<zend_long>(time.tv_usec) * 1'000;
}

void add_cpus(CpuCounters& counters) noexcept {
  uv_cpu_info_t* cpus = nullptr;
  int count = 0;
  if (uv_cpu_info(&cpus, &count) != 0) return;
  for (int i = 0; i < count; ++i) {
    const auto& times = cpus[i].cpu_times;  // milliseconds
    counters.system_idle += static_cast<zend_long>(times.idle) * 1'000'000;
    counters.system_busy += static_cast<zend_long>(times.user + times.nice + times.sys + times.irq) * 1'000'000;
  }
  if (count > 0) counters.cpus = count;
  uv_free_cpu_info(cpus, count);
}

}  // namespace

CpuCounters read_cpu_counters() noexcept {
  CpuCounters counters;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  counters.wall = static_cast<zend_long>(uv_hrtime());
  counters.process_user = nanoseconds(usage.ru_utime);
  counters.process_system = nanoseconds(usage.ru_stime);
  add_cpus(counters);
  return counters;
}

void register_cpu_snapshot() { Class<CpuSnapshotObject>::setup(register_class_Async_CpuSnapshot()); }

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_METHOD(Async_CpuSnapshot, __construct) { ZEND_PARSE_PARAMETERS_NONE(); }

ZEND_METHOD(Async_CpuSnapshot, now) {
  ZEND_PARSE_PARAMETERS_NONE();
  const CpuCounters counters = read_cpu_counters();
  ZVAL_OBJ(return_value, Class<CpuSnapshotObject>::object_of(Class<CpuSnapshotObject>::make()));
  zval* property = Z_OBJ_P(return_value)->properties_table;
  for (zend_long value : {counters.wall, counters.process_user, counters.process_system, counters.system_idle,
                          counters.system_busy, counters.cpus}) {
    ZVAL_LONG(property++, value);
  }
}
