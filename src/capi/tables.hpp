// The function tables of this library. They are constants, because they are registered at load time, before any
// constructor has run.
#pragma once

#include "trueasync.h"

namespace trueasync::detail {

extern const char kImplementation[];

template <class T>
constexpr ta_table_head table_head() noexcept {
  return {sizeof(T), TA_ABI_MAJOR, TA_ABI_MINOR, kImplementation};
}

extern const ta_core_table kCoreTable;
extern const ta_runtime_table kRuntimeTable;
extern const ta_event_table kEventTable;
extern const ta_reactor_table kReactorTable;
extern const ta_io_table kIoTable;
extern const ta_thread_pool_table kThreadPoolTable;
extern const ta_pool_table kPoolTable;

// Member of the runtime table.
ta_status load_extension(const char* path, void* argument, ta_error* error) noexcept;

}  // namespace trueasync::detail
