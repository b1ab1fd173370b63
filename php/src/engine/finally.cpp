#include "engine/finally.hpp"

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "support/error.hpp"
#include "support/stored_call.hpp"
#include "trueasync/scope/scope.hpp"

namespace trueasync::php::engine {

namespace {

zend_object* combine_errors(zend_object* previous, zend_object* error) noexcept {
  if (!previous) return error;
  zend_object* composite = previous;
  if (previous->ce != exceptions.composite) {
    composite = make_exception(exceptions.composite, "Several finally handlers failed");
    add_to_composite(composite, previous);
  }
  add_to_composite(composite, error);
  return composite;
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
      error = combine_errors(error, take_exception());
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

// The scope of the ended coroutine, or the root scope if it has none any more.
SpawnSettings owner_options(const CoroutineObject& ended) {
  SpawnSettings options;
  options.owner = ended.block().owner;
  if (!options.owner) options.owner = detail::owner_of(detail::Access::state(Scope::root()));
  return options;
}

CoroutineObject* spawn_handlers(CoroutineObject& ended, const SpawnSettings& options) noexcept {
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

SpawnSettings root_options() {
  SpawnSettings options;
  options.owner = detail::owner_of(detail::Access::state(Scope::root()));
  return options;
}

}  // namespace

void spawn_finally(CoroutineObject& ended) noexcept {
  if (ended.finally_handlers.empty()) return;
  CoroutineObject* created = spawn_handlers(ended, owner_options(ended));
  if (!created) {
    zend_clear_exception();
    created = spawn_handlers(ended, root_options());
  }
  if (created) OBJ_RELEASE(object_of(*created));
}

void respawn_finally(CoroutineObject& cancelled) noexcept {
  const auto* handler = reinterpret_cast<zend_internal_function*>(cancelled.call_cache.function_handler);
  const bool must_respawn = handler == &function && scheduler && !(cancelled.block().flags & detail::kShutdownForced);
  if (!must_respawn) return;
  CoroutineObject* created = spawn_handlers(Class<CoroutineObject>::self(&cancelled.call.params[0]), root_options());
  if (created) OBJ_RELEASE(object_of(*created));
}

}  // namespace trueasync::php::engine
