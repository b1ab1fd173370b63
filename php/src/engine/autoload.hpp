// Autoloading in coroutines: who needs a class that another coroutine is loading waits for it. The engine itself would
// say that there is no such class, because it knows only that it is being loaded, not by whom.
//
// As in PHP, there is no such class for whoever is loading it; nor for one that would wait for itself in a ring.
#pragma once

namespace trueasync::php::engine {

// At module start, and end.
void hook_autoload() noexcept;
void unhook_autoload() noexcept;

// The runtime starts: what is being loaded at that moment is main's.
void assign_loads_to_main();
// The request is over, and so is the runtime: a fatal error may have left loads behind.
void reset_loads() noexcept;

}  // namespace trueasync::php::engine
