// The end of a request: what shutdown functions and destructors spawn and await still runs.
#pragma once

namespace trueasync::php::engine {

// At request start: a shutdown function of ours is the first of all, and it sees to it that one is the last.
void hook_request_end() noexcept;

// EG(exception), as the engine shows it after a script: by the user's handler, or by the message.
void show_uncaught() noexcept;

}  // namespace trueasync::php::engine
