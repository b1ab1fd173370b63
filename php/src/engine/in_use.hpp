// Who is suspended inside a function of PHP's own that was given this stream, connection or handle.
//
// Such functions keep pointers into it while they wait, so nobody else may free or refill it meanwhile. Threads: the
// engine's.
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// A frame that waits, or has called what waits.
using IsMeant = bool (*)(const zend_execute_data& frame, const void* thing) noexcept;
// Another coroutine that has such a frame; null: none.
const CoroutineObject* other_with_frame(IsMeant is_meant, const void* thing) noexcept;

// It is among the arguments of the frame's function, or its object.
bool is_given(const zend_execute_data& frame, const void* thing) noexcept;
// The same by what is behind a resource: two may share a persistent stream.
bool is_given_stream(const zend_execute_data& frame, const void* stream) noexcept;

// Throws: the function that is running can't go on while the other one "is using it".
void refuse(const CoroutineObject& other, const char* does_what) noexcept;

}  // namespace trueasync::php::engine
