// The user's error handler, which is shared by all coroutines.
//
// The engine removes the handler from EG(user_error_handler) while it runs. If the handler suspends, other coroutines
// still need it: it is restored when its coroutine is suspended and removed again when that coroutine is resumed.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::engine {

// At module start: registers an observer, which the engine calls for each error before the handler.
void observe_errors() noexcept;
// At the end of the request.
void reset_error_handler() noexcept;

// The function of the last handler that was called; null if there was none.
inline TRUEASYNC_PHP_LOCAL const zend_function* error_handler_code = nullptr;

// Whether the handler is not installed: it is running, or PHP code has removed it.
inline bool is_error_handler_removed() noexcept {
  return __builtin_expect(error_handler_code != nullptr, 0) && Z_TYPE(EG(user_error_handler)) == IS_UNDEF;
}
// When a coroutine is suspended: installs the handler again if it runs in that coroutine. `running` then gets the
// handler, without a reference; otherwise it is undefined.
void restore_error_handler(zval* running) noexcept;
// When that coroutine is resumed. A handler that was set during the suspension stays installed.
void remove_error_handler(zval* running) noexcept;

}  // namespace trueasync::php::engine
