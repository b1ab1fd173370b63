// Text about coroutines for people: the dump, the deadlock report.
#pragma once

#include <string>

#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

// "file.cpp:12 (function)"; empty when there is no place.
std::string format_location(SourceLocation location);
// What the coroutine waits for: "timer in 50 ms", "coroutine #3 "fetch"", "its turn".
std::string describe_wait(const ControlBlock& block);
// One coroutine on a few lines: who, state, spawned at, suspended at, waits for.
std::string describe_coroutine(const ControlBlock& block);
// All living ones.
std::string format_dump(const Scheduler& scheduler);
// The coroutines that wait for each other in a ring: "#2 → #3 → #2"; empty when there is none.
std::string find_wait_cycle(const Scheduler& scheduler);

}  // namespace trueasync::detail
