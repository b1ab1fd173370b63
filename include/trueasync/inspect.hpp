// Looking into a runtime: what lives, where it was spawned, where it waits, and for what. Cheap enough for production;
// nothing is recorded for it but the two places. See tools/gdb for the same from a debugger or a core file.
#pragma once

#include <string>
#include <vector>

#include "trueasync/coroutine.hpp"
#include "trueasync/export.hpp"
#include "trueasync/statistics.hpp"

namespace trueasync {

// All living coroutines of this thread's runtime, main first.
TRUEASYNC_EXPORT std::vector<Coroutine> coroutines();
// The same as text, a few lines each.
TRUEASYNC_EXPORT std::string dump();
TRUEASYNC_EXPORT Statistics statistics();

}  // namespace trueasync
