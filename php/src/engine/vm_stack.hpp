// The VM stacks of coroutines: a small first page, because most coroutines call little, and a spare one that the next
// coroutine takes over.
#pragma once

#include "engine/engine_state.hpp"

namespace trueasync::php::engine {

// A stack for a coroutine that begins: EG gets it, with a frame at its bottom that stands for the coroutine.
void begin_vm_stack() noexcept;
// The coroutine that runs has ended. What runs next, be it the scheduler, still finds a usable stack.
void end_vm_stack() noexcept;
// Of one that will never run again.
void drop_vm_stack(zend_vm_stack stack) noexcept;
// The request is over: `reuse` is whether the engine's memory is still there.
void drop_spare_vm_stack(bool is_memory_there) noexcept;

}  // namespace trueasync::php::engine
