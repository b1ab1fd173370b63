// The end of a request: coroutines that shutdown functions and destructors spawn still run.
#pragma once

namespace trueasync::php::engine {

// At request start: registers a shutdown function that runs before the user's, and that registers one to run after
// them.
void hook_request_end() noexcept;

// Handles EG(exception) as the engine does after a script: calls the user's exception handler or reports a fatal error.
void show_uncaught() noexcept;

}  // namespace trueasync::php::engine
