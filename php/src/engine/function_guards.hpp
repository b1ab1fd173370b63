// Guards around PHP's functions that use a stream, a connection or the session.
//
// While a coroutine waits inside such a function, another coroutine's call on the same object would free or refill
// memory that the suspended function still uses. The guards throw Async\AsyncException, or make the call wait.
#pragma once

namespace trueasync::php::engine {

// Installs the guards at the start of a request and of the runtime. Cheap if no module was loaded since the last call.
void hook_guards() noexcept;

// Guards the connections and handles of other extensions. Called by hook_guards(). Throws std::bad_alloc.
void guard_connections();

}  // namespace trueasync::php::engine
