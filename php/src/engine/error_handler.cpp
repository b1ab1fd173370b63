#include "engine/error_handler.hpp"

#include <utility>

extern "C" {
#include "zend_observer.h"
}

namespace trueasync::php::engine {

namespace {

// The engine calls no user handler for these errors, and there may be no memory left.
constexpr int kFatal = E_ERROR | E_PARSE | E_CORE_ERROR | E_CORE_WARNING | E_COMPILE_ERROR | E_COMPILE_WARNING;

TRUEASYNC_PHP_LOCAL zval handler;  // the last handler that was called; owned

bool is_same(const zval& first, const zval& second) noexcept {
  return Z_TYPE(first) == Z_TYPE(second) && Z_COUNTED(first) == Z_COUNTED(second);
}

const zend_function* function_of(zval* callable) noexcept {
  zend_fcall_info_cache cache;
  if (!zend_is_callable_ex(callable, nullptr, IS_CALLABLE_SUPPRESS_DEPRECATIONS, nullptr, &cache, nullptr)) {
    return nullptr;
  }
  const zend_function* code = cache.function_handler;
  zend_release_fcall_info_cache(&cache);
  return code;
}

void record_handler(int type, zend_string*, uint32_t, zend_string*) {
  zval& installed = EG(user_error_handler);
  if (Z_TYPE(installed) == IS_UNDEF || (type & kFatal) || is_same(installed, handler)) return;
  reset_error_handler();
  ZVAL_COPY(&handler, &installed);
  error_handler_code = function_of(&handler);
}

bool is_running() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  while (frame && frame->func != error_handler_code) frame = frame->prev_execute_data;
  return frame;
}

}  // namespace

void observe_errors() noexcept { zend_observer_error_register(&record_handler); }

void reset_error_handler() noexcept {
  error_handler_code = nullptr;
  zval old = std::exchange(handler, {});
  zval_ptr_dtor(&old);
}

void restore_error_handler(zval* running) noexcept {
  ZVAL_UNDEF(running);
  if (!is_error_handler_removed()) return;
  if (!is_running()) return reset_error_handler();
  ZVAL_COPY_VALUE(running, &handler);
  ZVAL_COPY(&EG(user_error_handler), &handler);
}

void remove_error_handler(zval* running) noexcept {
  zval& installed = EG(user_error_handler);
  if (Z_TYPE_P(running) == IS_UNDEF || !is_same(installed, *running)) return;
  zval_ptr_dtor(&installed);
  ZVAL_UNDEF(&installed);
}

}  // namespace trueasync::php::engine
