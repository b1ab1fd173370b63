// inspect.hpp: lists the coroutines of a runtime with their spawn and suspend locations and what they wait for. Cheap
// enough for production: only the two locations are recorded. tools/gdb shows the same from a debugger or a core file.
//
// Thread safety: one runtime.
#pragma once

#include <string>
#include <vector>

#include "trueasync/coroutine.hpp"
#include "trueasync/export.hpp"
#include "trueasync/statistics.hpp"

namespace trueasync {

// All live coroutines of this thread's runtime, the main coroutine first.
TRUEASYNC_EXPORT std::vector<Coroutine> coroutines();
// The same as text, a few lines per coroutine.
TRUEASYNC_EXPORT std::string dump();
// Counters of this thread's runtime.
TRUEASYNC_EXPORT Statistics statistics();

}  // namespace trueasync
