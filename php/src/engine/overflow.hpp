// A coroutine whose native stack is too small ends the process; the message that says so names PHP's places.
#pragma once

namespace trueasync::php::engine {

// At module start.
void explain_overflows() noexcept;

}  // namespace trueasync::php::engine
