// PHP code in coroutines that the library created, such as the workers of iterate() and the finally handlers of a
// scope. Such a coroutine gets its engine state and its Coroutine object when PHP code first runs in it.
//
// Thread safety: the engine's thread only.
// Errors: none.
#pragma once

#include "coroutine.hpp"
#include "engine/runtime.hpp"

namespace trueasync::php::engine {

// Runs body(argument) in the current coroutine. The body may call PHP code and suspend, and must not throw a C++
// exception. Does not return after a fatal error.
void run_php_code(void (*body)(void* argument), void* argument) noexcept;

template <class F>
void run_php_code(F&& body) noexcept {
  run_php_code([](void* argument) { (*static_cast<std::remove_reference_t<F>*>(argument))(); }, &body);
}

// When such a coroutine ends: flushes its output, releases its context and spawns its finally handlers. May suspend.
void finish_php_code(CoroutineObject& self) noexcept;

// Removes the exception in flight and returns it with its reference; null if there is none. An exit() becomes a request
// to exit, and the result is null.
zend_object* take_thrown() noexcept;

// The PHP object of a coroutine, created if it has none. The caller gets a reference.
zend_object* coroutine_object(detail::ControlBlock& block) noexcept;

}  // namespace trueasync::php::engine
