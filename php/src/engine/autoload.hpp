// Autoloading in coroutines.
//
// A coroutine that needs a class which another coroutine is loading waits until it is loaded. The engine alone would
// report an unknown class: it records that a class is being loaded, but not by which coroutine.
//
// As in plain PHP, the class is unknown to the coroutine that is loading it. It is also unknown to a coroutine whose
// wait would complete a wait cycle.
#pragma once

namespace trueasync::php::engine {

// At module start and end.
void hook_autoload() noexcept;
void unhook_autoload() noexcept;

// When the runtime starts: assigns the loads that began before it to the main coroutine.
void assign_loads_to_main();
// At the end of the request: drops loads that a fatal error left unfinished.
void reset_loads() noexcept;

}  // namespace trueasync::php::engine
