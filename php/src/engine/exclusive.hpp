// One coroutine at a time inside the functions of a connection or handle: a second one would send its question into the
// first one's answer, wait for what that one has read, or free what it comes back to.
//
// Threads: the engine's. Errors: EG(exception).
#pragma once

#include "engine/wrapping.hpp"

namespace trueasync::php::engine {

// Runs the original if no other coroutine is in there already; throws if one is. Null: any number may be. What ended a wait
// of the original is what comes out of it, also when it throws an error of its own about that.
void use_alone(const void* connection, zif_handler original, INTERNAL_FUNCTION_PARAMETERS);

// Nobody comes back from where they are: the request died.
void forget_uses() noexcept;

}  // namespace trueasync::php::engine
