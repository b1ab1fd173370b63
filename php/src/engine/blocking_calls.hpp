// Blocking calls of PHP's functions, and of the libraries they use, suspend the coroutine (async.hook_blocking_calls).
//
// If the coroutine is cancelled during such a call, the call fails with ECANCELED and the cancellation is thrown when
// the PHP function returns. Warnings of that function about the failed call are suppressed.
//
// Thread safety: the engine's thread only.
#pragma once

#include <string>

#include "coroutine.hpp"

namespace trueasync::php::engine {

// At module start and end: filters the warnings about interrupted calls.
void hook_errors() noexcept;
void unhook_errors() noexcept;
// When the runtime starts. The import tables stay patched for the next request. Without a runtime the original calls
// run.
void hook_blocking_calls();
// At module end.
void unhook_blocking_calls() noexcept;

// If the running function wrapped an interruption in an error of its extension, throws the interruption instead.
void prefer_interruption() noexcept;

// NoSuspendScope: while an instance exists, blocking calls block the thread and no other coroutine runs.
class NoSuspendScope {
 public:
  NoSuspendScope() noexcept { ++depth_; }
  ~NoSuspendScope() { --depth_; }
  NoSuspendScope(const NoSuspendScope&) = delete;
  NoSuspendScope& operator=(const NoSuspendScope&) = delete;
  static bool is_active() noexcept { return depth_ != 0; }
  // After a bailout, which skips destructors.
  static void reset() noexcept { depth_ = 0; }

 private:
  static inline TRUEASYNC_PHP_LOCAL int depth_ = 0;
};

// "fgets(): " for a coroutine that is suspended in an internal function of another module; otherwise empty.
std::string describe_waiting_function(const CoroutineObject& coroutine);

}  // namespace trueasync::php::engine
