// Who is suspended inside a function of PHP's own that was given this stream, connection or handle.
//
// Such functions keep pointers into it while they wait, so nobody else may free or refill it meanwhile. Threads: the
// engine's.
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// A frame that waits, or has called what waits.
using IsMeant = bool (*)(const zend_execute_data& frame, const void* thing) noexcept;
// Whether another coroutine has such a frame.
bool has_other_frame(IsMeant is_meant, const void* thing) noexcept;

// It is among the arguments of the frame's function, or its object.
bool is_given(const zend_execute_data& frame, const void* thing) noexcept;

// Too few references for anybody else to be in there: the caller's own variable and argument.
inline bool may_be_in_use(const zend_refcounted* thing) noexcept { return GC_REFCOUNT(thing) >= 3; }

}  // namespace trueasync::php::engine
