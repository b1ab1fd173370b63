// The end of a request: what shutdown functions and destructors spawn and await still runs.
#pragma once

namespace trueasync::php::engine {

// At request start: a shutdown function of ours is the first of all, and it sees to it that one is the last.
void hook_request_end() noexcept;

}  // namespace trueasync::php::engine
