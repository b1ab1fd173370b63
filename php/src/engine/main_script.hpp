// Runs the coroutines of the main script to their end before the engine continues, so before it reports an uncaught
// exception and before shutdown functions.
//
// The engine gets a generated script that calls an internal function, which executes the compiled main script. No
// opcode handler and no executor is replaced, so inlining and the JIT keep working.
#pragma once

namespace trueasync::php::engine {

// At request start and end. Opcache installs its own compile hook after module start.
void hook_main_script() noexcept;
void unhook_main_script() noexcept;

}  // namespace trueasync::php::engine
