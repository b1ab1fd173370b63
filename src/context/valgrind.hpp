// Client requests to valgrind. Every build contains them, whether or not valgrind's headers are installed: the code
// below encodes the requests itself. Outside valgrind a request is a handful of instructions without an effect. No
// request is on the path of a context switch.
//
// Thread safety: any thread.
#pragma once

namespace trueasync::detail {

bool running_on_valgrind() noexcept;

// Declares [limit, top) as a stack, so that valgrind recognizes switches to it and never unwinds beyond its limit.
// Returns valgrind's id of the stack.
unsigned valgrind_register_stack(const void* limit, const void* top) noexcept;
void valgrind_deregister_stack(unsigned id) noexcept;

// Declares the bytes just below `top` as writable: call_on_stack() is about to push the first frame there.
void valgrind_open_frame(void* top) noexcept;

// Suppresses the error reports of this thread between a call with true and the matching call with false.
void valgrind_suppress_errors(bool on) noexcept;

}  // namespace trueasync::detail
