// Coroutine::finally(): handlers that run in a new coroutine after their coroutine has ended.
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// Spawns the coroutine of the handlers of `ended`. All handlers are called. An error becomes the error of the new
// coroutine; several errors become one CompositeException.
void spawn_finally(CoroutineObject& ended) noexcept;
// If `cancelled` is a coroutine of handlers that was cancelled before it started: spawns another one for them.
void respawn_finally(CoroutineObject& cancelled) noexcept;

}  // namespace trueasync::php::engine
