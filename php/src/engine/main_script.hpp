// Running on after the main script: what the script has spawned runs to its end before the engine goes on, so before
// its uncaught exception is shown and before shutdown functions.
//
// The script's compiled code is kept back, and the engine gets a line of code in its place that calls us. No opcode
// handler and no executor is replaced, so inlining and JIT stay.
#pragma once

namespace trueasync::php::engine {

// At request start, not at module start: opcache puts its own hook there later than that.
void hook_main_script() noexcept;
void unhook_main_script() noexcept;

}  // namespace trueasync::php::engine
