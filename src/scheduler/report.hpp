// Human-readable descriptions of coroutines for dumps and deadlock reports.
#pragma once

#include <string>

#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

// "file.cpp:12", without the directory; empty for an empty location.
std::string format_location(SourceLocation location);
// The events a coroutine waits for: `timer in 50 ms`, `coroutine #3 "fetch"`, `the ready queue`; empty if not
// suspended.
std::string describe_wait(const ControlBlock& block);
// Several lines about one coroutine: id, state, spawn and suspend location, awaited events.
std::string describe_coroutine(const ControlBlock& block);
// describe_coroutine() of every live coroutine.
std::string format_dump(const Scheduler& scheduler);
// A cycle of coroutines that wait for each other: `#2 → #3 → #2`; empty if there is none.
std::string find_wait_cycle(const Scheduler& scheduler);

}  // namespace trueasync::detail
