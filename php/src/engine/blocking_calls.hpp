// Blocking calls of PHP's functions, and of the libraries below them, suspend their coroutine (async.hook).
//
// A call whose coroutine is cancelled fails with ECANCELED, and the cancellation is thrown when the PHP function returns;
// what that function has to say about the failure is not shown. Threads: the engine's.
#pragma once

#include <string>

#include "coroutine.hpp"

namespace trueasync::php::engine {

// At module start and end: what functions say about a call that was ended goes through here.
void hook_errors() noexcept;
void unhook_errors() noexcept;
// The runtime starts. The tables stay as they are for the next request: outside a runtime the calls are the plain ones.
void hook_blocking_calls();
// The module is unloaded.
void unhook_blocking_calls() noexcept;

// What ended a call is what its function throws, instead of an error that it made of it.
void prefer_interruption() noexcept;

// While there is one, blocking calls block: what is being done must be through before anybody else runs.
class NoSuspendScope {
 public:
  NoSuspendScope() noexcept { ++depth_; }
  ~NoSuspendScope() { --depth_; }
  NoSuspendScope(const NoSuspendScope&) = delete;
  NoSuspendScope& operator=(const NoSuspendScope&) = delete;
  static bool is_active() noexcept { return depth_ != 0; }
  // After a fatal error.
  static void forget() noexcept { depth_ = 0; }

 private:
  static inline TRUEASYNC_PHP_LOCAL int depth_ = 0;
};

// "fgets(): " of one that waits in a function of PHP's own; empty for the others.
std::string describe_waiting_function(const CoroutineObject& coroutine);

}  // namespace trueasync::php::engine
