// Registers the tables of this library when it is loaded. Whoever was there first stays (ABI-02).
#include "capi/tables.hpp"

namespace trueasync::detail {

const char kImplementation[] = "trueasync " TRUEASYNC_VERSION;

}  // namespace trueasync::detail

extern "C" void ta_register_library() {
  using namespace trueasync::detail;
  const struct {
    ta_area area;
    const void* table;
  } tables[] = {{TA_AREA_CORE, &kCoreTable},       {TA_AREA_RUNTIME, &kRuntimeTable}, {TA_AREA_EVENT, &kEventTable},
                {TA_AREA_REACTOR, &kReactorTable}, {TA_AREA_IO, &kIoTable},           {TA_AREA_THREADS, &kThreadsTable},
                {TA_AREA_POOL, &kPoolTable}};
  for (const auto& one : tables) ta_register(one.area, one.table, 0, nullptr);
}
