// A coroutine whose native stack is too small ends the process; the message that says so names PHP's places.
#pragma once

namespace trueasync::php::engine {

// At module start.
void install_overflow_reporter() noexcept;

}  // namespace trueasync::php::engine
