// Coroutine::finally(): handlers that are called when a coroutine has ended, in a coroutine of their own.
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// The coroutine is about to end: its handlers get a coroutine. All are called; what they throw is that coroutine's
// error, several of them as one CompositeException.
void spawn_finally(CoroutineObject& ended) noexcept;
// If it is a coroutine of handlers, which was cancelled before it began: they get another one.
void respawn_finally(CoroutineObject& cancelled) noexcept;

}  // namespace trueasync::php::engine
