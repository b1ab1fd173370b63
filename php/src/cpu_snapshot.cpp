#include "cpu_snapshot.hpp"

#include <sys/resource.h>
#include <uv.h>

#include <initializer_list>

#include "generated/cpu_snapshot_arginfo.h"

namespace trueasync::php {

namespace {

zend_class_entry* snapshot_entry = nullptr;

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

void register_cpu_snapshot() {
  snapshot_entry = register_class_Async_CpuSnapshot();
  snapshot_entry->ce_flags |= ZEND_ACC_FINAL | ZEND_ACC_NOT_SERIALIZABLE | ZEND_ACC_NO_DYNAMIC_PROPERTIES;
}

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_METHOD(Async_CpuSnapshot, __construct) { ZEND_PARSE_PARAMETERS_NONE(); }

ZEND_METHOD(Async_CpuSnapshot, now) {
  ZEND_PARSE_PARAMETERS_NONE();
  const CpuCounters counters = read_cpu_counters();
  object_init_ex(return_value, snapshot_entry);
  zval* property = Z_OBJ_P(return_value)->properties_table;
  for (zend_long value : {counters.wall, counters.process_user, counters.process_system, counters.system_idle,
                          counters.system_busy, counters.cpus}) {
    ZVAL_LONG(property++, value);
  }
}
