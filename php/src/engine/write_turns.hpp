// Coroutines that write to the same stream take turns, first come first served: what one writes comes out in one piece, as
// in plain PHP.
//
// Threads: the engine's. Errors: EG(exception).
#pragma once

extern "C" {
#include "main/php.h"
#include "main/php_streams.h"
}

namespace trueasync::php::engine {

// Somebody waits for one, or has left it.
bool has_write_waiters(const php_stream& stream) noexcept;
// Until those who came earlier are through. False: EG(exception) is set, and the turn is another one's.
bool lock_stream_writes(const php_stream& stream) noexcept;
// The one whose turn it was is through; the stream may be gone. True: it is somebody else's now.
bool unlock_stream_writes(const php_stream& stream) noexcept;
// Nobody waits any more.
void reset_write_locks() noexcept;

}  // namespace trueasync::php::engine
