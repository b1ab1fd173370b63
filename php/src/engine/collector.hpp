// What PHP's cycle collector sees of a coroutine, and that it looks at them (GC-01).
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// At module start, and end. The collector begins with what has lost a reference since it looked last. A coroutine becomes
// garbage in another way as well, by waiting: so those that wait are shown to it.
void hook_collector() noexcept;
void unhook_collector() noexcept;
// The request is over; a fatal error may have ended a run.
void forget_collection() noexcept;

// The variables and temporaries of its frames.
void report_frames(const EngineState& state, GcBuffer& buffer) noexcept;
// The callable and arguments of one that has not begun.
void report_call(const CoroutineObject& coroutine, GcBuffer& buffer) noexcept;

}  // namespace trueasync::php::engine
