#include "engine/finally.hpp"

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "support/call.hpp"
#include "support/error.hpp"
#include "trueasync/scope.hpp"

namespace trueasync::php::engine {

namespace {

// Joins a new error to those there were.
zend_object* join(zend_object* before, zend_object* error) noexcept {
  if (!before) return error;
  zend_object* all = before;
  if (before->ce != exceptions.composite) {
    all = make_exception(exceptions.composite, "Several finally handlers failed");
    add_to_composite(all, before);
  }
  add_to_composite(all, error);
  return all;
}

void call_handlers(zend_execute_data* execute_data, zval* return_value) {
  (void)return_value;
  zval* ended = ZEND_CALL_ARG(execute_data, 1);
  auto& self = Class<CoroutineObject>::self(ended);
  zend_object* error = nullptr;
  while (!self.finally_handlers.empty()) {
    zval handler;
    zval result;
    self.finally_handlers.front().move_to(&handler);
    self.finally_handlers.erase(self.finally_handlers.begin());
    if (call(&handler, {*ended}, &result)) {
      zval_ptr_dtor(&result);
    } else if (zend_is_unwind_exit(EG(exception))) {
      zval_ptr_dtor(&handler);
      return;
    } else {
      error = join(error, take_exception());
    }
    zval_ptr_dtor(&handler);
  }
  if (error) throw_exception(error);
}

TRUEASYNC_PHP_LOCAL zend_internal_function function;

void prepare_function() noexcept {
  if (function.handler) return;
  function.type = ZEND_INTERNAL_FUNCTION;
  function.handler = &call_handlers;
  function.function_name = ZSTR_EMPTY_ALLOC();
}

// Where the coroutine was; above, when that takes nobody any more.
SpawnOptions options_for(const CoroutineObject& ended) {
  SpawnOptions options;
  options.owner = ended.block().owner;
  if (!options.owner) options.owner = detail::owner_of(Scope::root().state());
  return options;
}

CoroutineObject* spawn_handlers(CoroutineObject& ended, const SpawnOptions& options) noexcept {
  prepare_function();
  zval argument;
  ZVAL_OBJ(&argument, object_of(ended));
  zend_fcall_info call{};
  call.size = sizeof(call);
  call.params = &argument;
  call.param_count = 1;
  zend_fcall_info_cache cache{};
  cache.function_handler = reinterpret_cast<zend_function*>(&function);
  return spawn_coroutine(options, call, cache);
}

SpawnOptions at_the_root() {
  SpawnOptions options;
  options.owner = detail::owner_of(Scope::root().state());
  return options;
}

}  // namespace

void spawn_finally(CoroutineObject& ended) noexcept {
  if (ended.finally_handlers.empty()) return;
  CoroutineObject* made = spawn_handlers(ended, options_for(ended));
  if (!made) {
    zend_clear_exception();
    made = spawn_handlers(ended, at_the_root());
  }
  if (made) OBJ_RELEASE(object_of(*made));
}

void respawn_finally(CoroutineObject& cancelled) noexcept {
  const auto* handler = reinterpret_cast<zend_internal_function*>(cancelled.call_cache.function_handler);
  const bool goes_on = handler == &function && scheduler && !(cancelled.block().flags & detail::kShutdownForced);
  if (!goes_on) return;
  CoroutineObject* made = spawn_handlers(Class<CoroutineObject>::self(&cancelled.call.params[0]), at_the_root());
  if (made) OBJ_RELEASE(object_of(*made));
}

}  // namespace trueasync::php::engine
