// PHP code that the library calls back: tasks of a group, hooks of a pool, a strategy. It may do so in a coroutine of its
// own, which has no engine state until then, and from frames that a fatal error must not jump over.
//
// Threads: the engine's. Errors: as said per call.
#pragma once

#include "engine/runtime.hpp"
#include "support/error.hpp"
#include "support/stored_call.hpp"
#include "trueasync/cancel.hpp"

namespace trueasync::php {

// A cancellation that came out of PHP code, as the library knows it; to_php gives the same object again.
class PhpCancellation final : public PhpException, public Cancelled {
 public:
  explicit PhpCancellation(zend_object* object) noexcept : PhpException(object), Cancelled("cancelled", nullptr) {}
};

// Whether it ends the running coroutine as cancelled: it was asked to end, or it is no token's.
bool is_own_cancellation(const zend_object* exception) noexcept;

// Calls it from a frame of the library. Throws Thrown or PhpCancellation for a PHP exception, Cancelled after exit(),
// and Bailout after a fatal error in main; in another coroutine that does not come back.
Value call_from_library(StoredCall& call, std::initializer_list<zval> arguments);
Value call_from_library(zend_object* object, const char* method, std::initializer_list<zval> arguments);

// The same for engine code of ours, which leaves its result or an exception.
Value run_from_library(void (*run)(void* argument, zval* result), void* argument);

// A fatal error in main, on its way to the method that was called there.
struct Bailout {};
inline TRUEASYNC_PHP_LOCAL bool bailout_pending = false;
// Nothing of PHP runs any more in this request.
inline bool is_engine_dead() noexcept { return engine::is_bailing || bailout_pending; }
[[noreturn]] void resume_bailout() noexcept;

// guarded() for a method from which the library calls back or waits.
template <class F>
void catch_to_php_with_bailout(F&& body) noexcept {
  catch_to_php(std::forward<F>(body));
  if (__builtin_expect(is_engine_dead(), 0)) resume_bailout();
}

}  // namespace trueasync::php
