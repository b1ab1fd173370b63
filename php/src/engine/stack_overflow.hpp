// An overflow of a coroutine's native stack ends the process. The message names the PHP file and line.
#pragma once

namespace trueasync::php::engine {

// At module start.
void install_overflow_reporter() noexcept;

}  // namespace trueasync::php::engine
