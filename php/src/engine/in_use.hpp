// Who is suspended inside a function of PHP's own that was given this stream, connection or handle.
//
// Such functions keep pointers into it while they wait, so nobody else may free or refill it meanwhile. Threads: the
// engine's.
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// A frame that waits, or has called what waits.
using FramePredicate = bool (*)(const zend_execute_data& frame, const void* thing) noexcept;
// Another coroutine that has such a frame; null: none.
const CoroutineObject* find_other_user(FramePredicate is_meant, const void* thing) noexcept;

// Throws: the function that is running can't go on while the other one "is using it". `advice`: what to do.
void throw_in_use(const CoroutineObject& other, const char* does_what, const char* advice = "one at a time") noexcept;
inline constexpr const char* kOneEach = "each coroutine needs its own";

}  // namespace trueasync::php::engine
