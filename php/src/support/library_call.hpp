// PHP code that the library calls: tasks of a group, hooks of a pool, a breaker strategy. The library may call it in
// its own coroutine, which has no engine state yet, and from frames that a bailout must not jump over.
//
// Thread safety: the engine's thread only.
// Errors: as stated for each call.
#pragma once

#include "engine/runtime.hpp"
#include "support/error.hpp"
#include "support/stored_call.hpp"
#include "trueasync/cancel.hpp"

namespace trueasync::php {

// PhpCancellation: a cancellation that PHP code threw, as the library's Cancelled. to_php() returns the same object.
class PhpCancellation final : public PhpException, public Cancelled {
 public:
  explicit PhpCancellation(zend_object* object) noexcept : PhpException(object), Cancelled("cancelled") {}
};

// Whether the exception cancels the running coroutine. An OperationCanceledException, which a token causes, counts only
// if cancellation of the coroutine was requested.
bool is_own_cancellation(const zend_object* exception) noexcept;

// Calls PHP code from a frame of the library. Throws PhpException or PhpCancellation for a PHP exception, Cancelled
// after exit(), and Bailout after a fatal error in main. After a fatal error in another coroutine the call does not
// return.
Value call_from_library(StoredCall& call, std::initializer_list<zval> arguments);
Value call_from_library(zend_object* object, const char* method, std::initializer_list<zval> arguments);

// The same for C++ code that uses the engine. It stores a result or sets EG(exception).
Value run_from_library(void (*run)(void* argument, zval* result), void* argument);

// Bailout: carries a fatal error in main through the library to the PHP method that was called.
struct Bailout {};
inline TRUEASYNC_PHP_LOCAL bool bailout_pending = false;
// Whether a fatal error ended the request: no PHP code may run.
inline bool is_engine_dead() noexcept { return engine::is_bailing || bailout_pending; }
[[noreturn]] void resume_bailout() noexcept;

// catch_to_php() for a method in which the library calls PHP code or waits.
template <class F>
void catch_to_php_with_bailout(F&& body) noexcept {
  catch_to_php(std::forward<F>(body));
  if (__builtin_expect(is_engine_dead(), 0)) resume_bailout();
}

}  // namespace trueasync::php
