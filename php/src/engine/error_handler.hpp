// The user's error handler. The engine takes it out of its place while it runs; if it waits, the others need it
// meanwhile, so it is put back when its coroutine is left, and taken out again when that goes on.
//
// Where a handler came from is no matter: set_error_handler() is for all coroutines.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::engine {

// At module start: the engine tells of each error before it calls the handler.
void watch_errors() noexcept;
// The request is over.
void forget_error_handler() noexcept;

// What the last handler that was called has as its code. Null: none was.
inline TRUEASYNC_PHP_LOCAL const zend_function* error_handler_code = nullptr;

// Whether it is not in its place: it runs, or somebody has removed it.
inline bool is_error_handler_removed() noexcept {
  return __builtin_expect(error_handler_code != nullptr, 0) && Z_TYPE(EG(user_error_handler)) == IS_UNDEF;
}
// It is away and the running coroutine is left: if it runs there, puts it back. `running` gets it, not owned, or nothing.
void restore_error_handler(zval* running) noexcept;
// Such a coroutine goes on.
void remove_error_handler(zval* running) noexcept;

}  // namespace trueasync::php::engine
