// What PHP's cycle collector sees of a coroutine (GC-01).
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// The variables and temporaries of its frames.
void report_frames(const EngineState& state, GcBuffer& buffer) noexcept;
// The callable and arguments of one that has not begun.
void report_call(const CoroutineObject& coroutine, GcBuffer& buffer) noexcept;

}  // namespace trueasync::php::engine
