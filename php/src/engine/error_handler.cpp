#include "engine/error_handler.hpp"

#include <utility>

extern "C" {
#include "zend_observer.h"
}

namespace trueasync::php::engine {

namespace {

// These are for no handler, and may come when there is no memory left.
constexpr int kFatal = E_ERROR | E_PARSE | E_CORE_ERROR | E_CORE_WARNING | E_COMPILE_ERROR | E_COMPILE_WARNING;

TRUEASYNC_PHP_LOCAL zval handler;  // the last that was called, with a reference

bool is_same(const zval& first, const zval& second) noexcept {
  return Z_TYPE(first) == Z_TYPE(second) && Z_COUNTED(first) == Z_COUNTED(second);
}

const zend_function* code_of(zval* callable) noexcept {
  zend_fcall_info_cache cache;
  if (!zend_is_callable_ex(callable, nullptr, IS_CALLABLE_SUPPRESS_DEPRECATIONS, nullptr, &cache, nullptr)) {
    return nullptr;
  }
  const zend_function* code = cache.function_handler;
  zend_release_fcall_info_cache(&cache);
  return code;
}

void see_handler(int type, zend_string*, uint32_t, zend_string*) {
  zval& present = EG(user_error_handler);
  if (Z_TYPE(present) == IS_UNDEF || (type & kFatal) || is_same(present, handler)) return;
  forget_error_handler();
  ZVAL_COPY(&handler, &present);
  error_handler_code = code_of(&handler);
}

bool is_running() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  while (frame && frame->func != error_handler_code) frame = frame->prev_execute_data;
  return frame;
}

}  // namespace

void watch_errors() noexcept { zend_observer_error_register(&see_handler); }

void forget_error_handler() noexcept {
  error_handler_code = nullptr;
  zval old = std::exchange(handler, {});
  zval_ptr_dtor(&old);
}

void restore_error_handler(zval* running) noexcept {
  ZVAL_UNDEF(running);
  if (!is_error_handler_removed()) return;
  if (!is_running()) return forget_error_handler();
  ZVAL_COPY_VALUE(running, &handler);
  ZVAL_COPY(&EG(user_error_handler), &handler);
}

// Unless somebody has set another one: that stays.
void remove_error_handler(zval* running) noexcept {
  zval& present = EG(user_error_handler);
  if (Z_TYPE_P(running) == IS_UNDEF || !is_same(present, *running)) return;
  zval_ptr_dtor(&present);
  ZVAL_UNDEF(&present);
}

}  // namespace trueasync::php::engine
