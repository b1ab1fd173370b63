// Handlers of pcntl_signal().
//
// The engine calls them between two instructions of PHP code, so they would not run while all coroutines wait. The
// event loop would also replace their signal handlers. The loop therefore watches these signals, forwards each to
// pcntl's own handler, and spawns a coroutine that calls the PHP handlers.
//
// Thread safety: the engine's thread only.
// Errors: an exception of a handler is the error of the coroutine that called it.
#pragma once

namespace trueasync::php::engine {

// When the runtime starts.
void watch_pcntl_signals() noexcept;
// Before the runtime ends.
void unwatch_pcntl_signals() noexcept;

}  // namespace trueasync::php::engine
