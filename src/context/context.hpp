// A context is where a coroutine stops and goes on: stack pointer, frame pointer and program counter, plus what
// must travel with them (C++ exception state, sanitizer bookkeeping).
//
// switch_context(from, to) saves the running flow in `from` and continues `to`; it returns when somebody switches to
// `from` again. It is inlined into its caller and tells the compiler that every register is lost, so only what is
// alive is saved. Floating-point control words are not switched (docs/decisions/0002-switch.md).
//
// Threads: a context belongs to one thread for life. Errors: none. Suspended contexts own nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "context/exception_state.hpp"
#include "context/sanitizer.hpp"

namespace trueasync::detail {

struct Context {
  void* sp = nullptr;
  void* fp = nullptr;
  void* pc = nullptr;
#if defined(__clang__)
  // The base register of frames that are over-aligned and of variable size (rbx, x19). clang believes that no assembly
  // can take it away, whatever it is told; g++ saves it like any other.
  void* base = nullptr;
#endif
  ExceptionState eh;
  [[no_unique_address]] SanitizerState sanitizer;
};

using ContextEntry = void (*)(void* argument);

}  // namespace trueasync::detail

#if defined(TRUEASYNC_CONTEXT_BOOST)
#include "context/switch_boost.hpp"
#elif defined(__x86_64__)
#include "context/switch_x86_64.hpp"
#elif defined(__aarch64__)
#include "context/switch_aarch64.hpp"
#else
#error "no switch for this CPU: configure with -DTRUEASYNC_CONTEXT=boost"
#endif

namespace trueasync::detail {

// Prepares `context` so that the first switch to it calls entry(argument) on the stack [limit, top). `entry` never
// returns; the first thing it does is sanitizer_after_switch(context.sanitizer). Touches only the bytes just below
// `top`. Also resets the exception and sanitizer state of `context`; end the latter with sanitizer_destroy.
void make_context(Context& context, void* limit, void* top, ContextEntry entry, void* argument);

// Saves the running flow in `from`, continues `to`. `globals` are this thread's exception globals (ExceptionState::globals()).
[[gnu::always_inline]] inline void switch_context(Context& from, Context& to, CxaEhGlobals* globals) {
  ExceptionState::exchange(from.eh, to.eh, globals);
  sanitizer_before_switch(from.sanitizer, to.sanitizer);
  raw_switch(from, to);
  sanitizer_after_switch(from.sanitizer);
}

// The same for a flow that never comes back: its stack may be given away as soon as the next one runs.
[[noreturn, gnu::always_inline]] inline void exit_to_context(Context& from, Context& to, CxaEhGlobals* globals) {
  to.eh.restore(globals);
  sanitizer_before_last_switch(to.sanitizer);
  raw_switch(from, to);
  __builtin_unreachable();
}

// Runs call(argument) on another stack, growing down from `top`, and comes back. `call` must neither switch nor throw
// (a throw ends the process). `top` may be the sp of a suspended context: its red zone is left alone. `room` is what
// lies free below `top`; only ASan wants to know, and for the thread's own stack it knows by itself.
void call_on_stack(void* top, ContextEntry call, void* argument, std::size_t room = 16 * 1024);

}  // namespace trueasync::detail
