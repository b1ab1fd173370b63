// Registers the tables of this library when it is loaded. Whoever was there first stays (ABI-02).
#include "capi/tables.hpp"

namespace trueasync::detail {

const char kImplementation[] = "trueasync " TRUEASYNC_VERSION;

}  // namespace trueasync::detail

extern "C" void ta_register_library() {
  using namespace trueasync::detail;
  const struct {
    ta_table_id area;
    const void* table;
  } tables[] = {{TA_TABLE_CORE, &kCoreTable},   {TA_TABLE_RUNTIME, &kRuntimeTable},
                {TA_TABLE_EVENT, &kEventTable}, {TA_TABLE_REACTOR, &kReactorTable},
                {TA_TABLE_IO, &kIoTable},       {TA_TABLE_THREADS, &kThreadsTable},
                {TA_TABLE_POOL, &kPoolTable}};
  for (const auto& one : tables) ta_register(one.area, one.table, 0, nullptr);
}
