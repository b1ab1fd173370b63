#include "engine/request_shutdown.hpp"

#include <cstring>

#include "coroutine.hpp"
#include "engine/runtime.hpp"
#include "trueasync/host.hpp"

extern "C" {
#include "ext/standard/basic_functions.h"
}

namespace trueasync::php::engine {

namespace {

using Handler = void (*)(zend_execute_data* execute_data, zval* return_value);

TRUEASYNC_PHP_LOCAL zend_internal_function first_function;
TRUEASYNC_PHP_LOCAL zend_internal_function last_function;
TRUEASYNC_PHP_LOCAL zend_internal_function destroy_function;
TRUEASYNC_PHP_LOCAL uint32_t function_count = 0;

void prepare(zend_internal_function& function, Handler handler) noexcept {
  std::memset(&function, 0, sizeof(function));
  function.type = ZEND_INTERNAL_FUNCTION;
  function.handler = handler;
  function.function_name = ZSTR_EMPTY_ALLOC();
}

zend_fcall_info make_call_info() noexcept {
  zend_fcall_info info{};
  info.size = sizeof(info);
  return info;
}

zend_fcall_info_cache make_call_cache(zend_internal_function& function) noexcept {
  zend_fcall_info_cache cache{};
  cache.function_handler = reinterpret_cast<zend_function*>(&function);
  return cache;
}

void append(zend_internal_function& function) noexcept {
  php_shutdown_function_entry entry{};
  entry.fci = make_call_info();
  entry.fci_cache = make_call_cache(function);
  append_user_shutdown_function(&entry);
  function_count = zend_hash_num_elements(BG(user_shutdown_function_names));
}

// Code that is not a script file, such as `php -r`: its coroutines run before the user's shutdown functions.
void run_first(zend_execute_data*, zval*) {
  if (scheduler && CG(unclean_shutdown)) finish_bailout();
  if (scheduler) {
    drain();
    show_uncaught();
  }
  append(last_function);
}

void spawn_destroyer() noexcept;

// When a destructor suspends, another coroutine calls the remaining destructors.
void destroy_objects(zend_execute_data*, zval*) {
  const auto self = detail::Access::coroutine(scheduler->running());
  const SwitchHandlerId handler = add_switch_handler(self, [](const Coroutine&, SwitchKind kind) {
    if (kind == SwitchKind::leave) spawn_destroyer();
    return kind != SwitchKind::leave;
  });
  zend_call_destructors();
  remove_switch_handler(self, handler);
}

void spawn_destroyer() noexcept {
  SpawnSettings options;
  options.priority = Priority::high;
  prepare(destroy_function, &destroy_objects);
  CoroutineObject* destroyer = spawn_coroutine(options, make_call_info(), make_call_cache(destroy_function));
  if (destroyer) OBJ_RELEASE(object_of(*destroyer));
}

void run_last(zend_execute_data*, zval*) {
  // A shutdown function may register more of them; they run first.
  if (zend_hash_num_elements(BG(user_shutdown_function_names)) > function_count) return append(last_function);
  if (!scheduler || CG(unclean_shutdown)) return;
  drain();
  show_uncaught();
  spawn_destroyer();
  drain();
  show_uncaught();
}

}  // namespace

void show_uncaught() noexcept {
  if (!EG(exception)) return;
  if (zend_is_unwind_exit(EG(exception))) return zend_clear_exception();
  if (Z_TYPE(EG(user_exception_handler)) != IS_UNDEF) zend_user_exception_handler();
  if (EG(exception)) zend_exception_error(EG(exception), E_ERROR);
}

void hook_request_end() noexcept {
  prepare(first_function, &run_first);
  prepare(last_function, &run_last);
  append(first_function);
}

}  // namespace trueasync::php::engine
