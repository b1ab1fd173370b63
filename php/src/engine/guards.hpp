// Functions of PHP's own that must not be called while another coroutine waits inside one on the same stream, connection or
// handle: they would free or refill what that one comes back to. They say so instead of corrupting memory.
#pragma once

namespace trueasync::php::engine {

// A request, or the runtime, starts; modules that were loaded since are looked at, too.
void hook_guards() noexcept;

}  // namespace trueasync::php::engine
