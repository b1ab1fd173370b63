// Coroutines that the library has made and in which PHP code is to run – the workers of iterate(), the finally handlers
// of a scope: they get their engine state, and their Coroutine object, when the first PHP code runs in them.
//
// Threads: the engine's. Errors: none is thrown.
#pragma once

#include "coroutine.hpp"
#include "engine/runtime.hpp"

namespace trueasync::php::engine {

// Runs body(argument) in the current coroutine, which may call PHP code then, and suspend. A fatal error does not come
// back from here. The body lets no C++ exception out.
void run_php_code(void (*body)(void* argument), void* argument) noexcept;

// The same for any callable.
template <class F>
void run_php_code(F&& body) noexcept {
  run_php_code([](void* argument) { (*static_cast<std::remove_reference_t<F>*>(argument))(); }, &body);
}

// Such a coroutine has ended, but for its output buffers, its context and its finally handlers. It may wait once more.
void finish_php_code(CoroutineObject& self) noexcept;

// What PHP code has thrown, which is in flight no more; null if nothing, or if that was exit(), which is seen to.
zend_object* take_thrown() noexcept;

// The object of a coroutine, a new one if it has none any more; the caller gets a reference.
zend_object* coroutine_object(detail::ControlBlock& block) noexcept;

}  // namespace trueasync::php::engine
