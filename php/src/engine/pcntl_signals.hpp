// Handlers of pcntl_signal() (SG-02). They are called by PHP code that runs, and while all coroutines wait none does; and
// the loop would take their signals away from them. So the loop watches what they are for, passes it on, and calls them.
//
// Threads: the engine's. Errors: what a handler throws is the error of the coroutine that it is called in.
#pragma once

namespace trueasync::php::engine {

// The runtime starts.
void watch_pcntl_signals() noexcept;
// It is about to end.
void unwatch_pcntl_signals() noexcept;

}  // namespace trueasync::php::engine
