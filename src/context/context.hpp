// Context: the saved execution state of a suspended coroutine: stack pointer, frame pointer and program counter, plus
// the C++ exception state and the sanitizer state.
//
// switch_context(from, to) saves the running context in `from` and continues `to`. It returns when another context
// switches to `from`. It is inlined and declares every register as clobbered, so the compiler saves only live
// registers. Floating-point control words are not switched (docs/decisions/0002-switch.md).
//
// Ownership: a suspended context owns nothing.
// Thread safety: a context belongs to one thread.
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
  // The base register of over-aligned frames of variable size (rbx, x19). clang does not allow it in a clobber list;
  // g++ saves it like any other register.
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

// Prepares `context` so that the first switch to it calls entry(argument) on the stack [limit, top). `entry` must
// not return and must call sanitizer_after_switch(context.sanitizer) first. Touches only the bytes just below `top`.
// Resets the exception and sanitizer state of `context`; sanitizer_destroy destroys the latter.
void make_context(Context& context, void* limit, void* top, ContextEntry entry, void* argument);

// Saves the running context in `from` and continues `to`. `globals` are this thread's exception globals
// (ExceptionState::globals()).
[[gnu::always_inline]] inline void switch_context(Context& from, Context& to, CxaEhGlobals* globals) {
  ExceptionState::exchange(from.eh, to.eh, globals);
  sanitizer_before_switch(from.sanitizer, to.sanitizer);
  raw_switch(from, to);
  sanitizer_after_switch(from.sanitizer);
}

// Like switch_context for a context that exits: its stack may be reused as soon as `to` runs.
[[noreturn, gnu::always_inline]] inline void exit_to_context(Context& from, Context& to, CxaEhGlobals* globals) {
  to.eh.restore(globals);
  sanitizer_before_last_switch(to.sanitizer);
  raw_switch(from, to);
  __builtin_unreachable();
}

// Runs call(argument) on another stack that grows down from `top`, and returns. `call` must neither switch nor throw (a
// throw terminates the process). `top` may be the sp of a suspended context: its red zone is preserved. `room` is the
// number of free bytes below `top`; only ASan and the Boost switch use it, and ASan ignores it on the thread's own
// stack.
void call_on_stack(void* top, ContextEntry call, void* argument, std::size_t room = 16 * 1024);

}  // namespace trueasync::detail
