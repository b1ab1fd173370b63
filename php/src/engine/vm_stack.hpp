// The VM stacks of coroutines. The first page is small, because most coroutines have few frames. The stack of a
// finished coroutine is kept as a spare for the next one.
#pragma once

#include "engine/engine_state.hpp"

namespace trueasync::php::engine {

// When a coroutine starts: sets EG to a VM stack with a bottom frame for the coroutine.
void begin_vm_stack() noexcept;
// When the running coroutine ends. EG still refers to the stack, so the code that runs next has a usable one.
void end_vm_stack() noexcept;
// Frees the stack of an abandoned coroutine.
void drop_vm_stack(zend_vm_stack stack) noexcept;
// At the end of the request, before the engine frees the request's memory.
void drop_spare_vm_stack() noexcept;

}  // namespace trueasync::php::engine
