// The runtime of the request: made at first use, gone when the request is over. The main script is the main coroutine,
// on the thread's own stack.
//
// Threads: the engine's. Errors: as said per call; C++ exceptions only where said.
#pragma once

#include "scheduler/scheduler.hpp"
#include "support/zend.hpp"

namespace trueasync::php {

struct CoroutineObject;

namespace engine {

// Null until something needs it.
inline TRUEASYNC_PHP_LOCAL detail::Scheduler* scheduler = nullptr;
// A fatal error has happened in a coroutine: main goes no further than to where it finds out.
inline TRUEASYNC_PHP_LOCAL bool is_bailing = false;

// At module start.
void hook_interrupts() noexcept;

// False: it can't be had any more, and EG(exception) says why.
bool start();
inline bool ensure_started() { return __builtin_expect(scheduler != nullptr, 1) || start(); }

// The running coroutine; null when the runtime is not there or is at work itself.
CoroutineObject* current() noexcept;
// What the running coroutine is cancelled with, for throwing it now; the caller gets a reference.
zend_object* own_cancellation() noexcept;

// A fatal error long-jumped to the bottom of the running coroutine, or out of code that the runtime had called: goes on
// in main, which bails out.
[[noreturn]] void resume_main_after_bailout() noexcept;
// The same out of code that the scheduler has called in the midst of its work: if this comes back, main, whose turn it
// is, bails out when its wait ends.
void schedule_bailout() noexcept;
// Main has found out, or the error was its own: nobody else runs any more, and nothing can be spawned or awaited.
void finish_bailout() noexcept;
[[noreturn]] void bail_out() noexcept;
// exit() was called in a coroutine other than main: the others are asked to end, and main exits.
void request_exit() noexcept;

// The main script has ended, perhaps with an exception, which is taken over: runs everything that is left to its end.
// Afterwards EG(exception) holds what nobody dealt with.
void end_main(zend_object* exception);
// The same without a script.
void drain();
// The request is over: detaches the runtime, and later lets it go. PHP objects may outlive it.
void stop() noexcept;
void destroy_runtime() noexcept;

}  // namespace engine

}  // namespace trueasync::php
