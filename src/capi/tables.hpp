// The tables of this library, one per area, as trueasync.h has them. All are constants: they are registered when the
// library is loaded, before any constructor may have run.
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
extern const ta_thread_pool_table kThreadsTable;
extern const ta_pool_table kPoolTable;

}  // namespace trueasync::detail
