// Registers the tables of this library at load time. A table that is already registered is not replaced.
#include "capi/tables.hpp"

namespace trueasync::detail {

const char kImplementation[] = "trueasync " TRUEASYNC_VERSION;

}  // namespace trueasync::detail

extern "C" void ta_register_library() {
  using namespace trueasync::detail;
  const struct {
    ta_table_id id;
    const void* table;
  } tables[] = {{TA_TABLE_CORE, &kCoreTable},   {TA_TABLE_RUNTIME, &kRuntimeTable},
                {TA_TABLE_EVENT, &kEventTable}, {TA_TABLE_REACTOR, &kReactorTable},
                {TA_TABLE_IO, &kIoTable},       {TA_TABLE_THREADS, &kThreadPoolTable},
                {TA_TABLE_POOL, &kPoolTable}};
  for (const auto& entry : tables) ta_register(entry.id, entry.table, 0, nullptr);
}
