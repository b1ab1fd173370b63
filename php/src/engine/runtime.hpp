// The runtime of a request: created at first use, destroyed after the request. The main script is the main coroutine,
// on the thread's own stack.
//
// Thread safety: the engine's thread only.
// Errors: EG(exception), as stated for each call. No call throws a C++ exception.
#pragma once

#include "scheduler/scheduler.hpp"
#include "support/zend.hpp"

namespace trueasync::php {

struct CoroutineObject;

namespace engine {

// Null before start() and after stop() or a fatal error.
inline TRUEASYNC_PHP_LOCAL detail::Scheduler* scheduler = nullptr;
// A fatal error happened in a coroutine. Main bails out when it next checks this flag.
inline TRUEASYNC_PHP_LOCAL bool is_bailing = false;

// At module start.
void hook_interrupts() noexcept;

// Returns false if the request has ended; EG(exception) is then set.
bool start();
inline bool ensure_started() { return __builtin_expect(scheduler != nullptr, 1) || start(); }

// The running coroutine; null without a runtime and while the scheduler runs.
CoroutineObject* current() noexcept;
// The cancellation of the running coroutine, to be thrown now. The caller gets a reference.
zend_object* own_cancellation() noexcept;

// After a bailout reached the bottom of the running coroutine, or code that the runtime called: abandons the coroutine
// and switches to main, which bails out.
[[noreturn]] void resume_main_after_bailout() noexcept;
// The same for code that the scheduler called. If the current coroutine is main, this returns and wakes main, which
// bails out when its wait ends.
void schedule_bailout() noexcept;
// Ends the use of the runtime after a fatal error: no coroutine runs, and spawning or awaiting throws.
void finish_bailout() noexcept;
// Continues the bailout: in main abandons all other coroutines, in another coroutine switches to main.
[[noreturn]] void bail_out() noexcept;
// exit() was called in a coroutine: cancels all coroutines, and main exits when they have finished.
void request_exit() noexcept;

// The main script ended with `exception` (or null), whose reference is taken over. Runs all coroutines to their end;
// EG(exception) is then the unhandled error, if any.
void end_main(zend_object* exception);
// Runs all coroutines to their end; EG(exception) is then the unhandled error, if any.
void drain();
// At the end of the request: stop() detaches the runtime, destroy_runtime() frees it after the PHP objects.
void stop() noexcept;
void destroy_runtime() noexcept;

}  // namespace engine

}  // namespace trueasync::php
