// Async\spawn_with(): spawns a coroutine in the scope of a ScopeProvider and calls the hooks of a SpawnStrategy.
#include "coroutine.hpp"
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "interfaces.hpp"
#include "scope.hpp"
#include "support/error.hpp"

namespace trueasync::php {

namespace {

// The provider's scope, or the current scope if the provider returns null. The caller gets a reference. Null:
// EG(exception) is set.
zend_object* provided_scope(zval* provider) {
  if (Class<ScopeObject>::from(provider)) {
    GC_ADDREF(Z_OBJ_P(provider));
    return Z_OBJ_P(provider);
  }
  zval result;
  ZVAL_UNDEF(&result);
  zend_call_method_with_0_params(Z_OBJ_P(provider), Z_OBJCE_P(provider), nullptr, "providescope", &result);
  if (EG(exception)) {
    zval_ptr_dtor(&result);
    return nullptr;
  }
  if (Z_TYPE(result) == IS_OBJECT) return Z_OBJ(result);  // the return type of provideScope() ensures the class
  zend_object* current = nullptr;
  catch_to_php([&] { current = scope_object(current_scope()); });
  return current;
}

// Returns false if EG(exception) is set.
bool call_hook(zval* strategy, std::string_view name, CoroutineObject& coroutine, zend_object* scope) {
  zval arguments[2];
  zval result;
  ZVAL_UNDEF(&result);
  ZVAL_OBJ(&arguments[0], object_of(coroutine));
  ZVAL_OBJ(&arguments[1], scope);
  zend_call_method(Z_OBJ_P(strategy), Z_OBJCE_P(strategy), nullptr, name.data(), name.size(), &result, 2, &arguments[0],
                   &arguments[1]);
  zval_ptr_dtor(&result);
  return !EG(exception);
}

// Null: EG(exception) is set, and the coroutine never runs.
CoroutineObject* spawn_in_scope(zval* provider, zend_object* scope, const zend_fcall_info& call,
                                const zend_fcall_info_cache& cache) {
  SpawnSettings options;
  options.owner = detail::owner_of(Class<ScopeObject>::of(scope).state());
  if (!instanceof_function(Z_OBJCE_P(provider), interfaces.spawn_strategy))
    return spawn_coroutine(options, call, cache);
  CoroutineObject* created = prepare_coroutine(options, call, cache);
  if (!created) return nullptr;
  if (!call_hook(provider, "beforecoroutineenqueue", *created, scope)) {
    // The caller gets the hook's exception. A coroutine that awaits the new coroutine gets the cancellation.
    created->cancel(nullptr);
    enqueue_coroutine(*created);
    OBJ_RELEASE(object_of(*created));
    return nullptr;
  }
  enqueue_coroutine(*created);
  if (call_hook(provider, "aftercoroutineenqueue", *created, scope)) return created;
  created->cancel(nullptr);
  OBJ_RELEASE(object_of(*created));
  return nullptr;
}

}  // namespace

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_FUNCTION(Async_spawn_with) {
  zval* provider;
  zend_fcall_info call;
  zend_fcall_info_cache cache;
  ZEND_PARSE_PARAMETERS_START(2, -1)
  Z_PARAM_OBJECT_OF_CLASS(provider, interfaces.scope_provider)
  Z_PARAM_FUNC(call, cache)
  Z_PARAM_VARIADIC_WITH_NAMED(call.params, call.param_count, call.named_params)
  ZEND_PARSE_PARAMETERS_END();
  if (!engine::ensure_started()) return;
  zend_object* scope = provided_scope(provider);
  if (!scope) return;
  CoroutineObject* created = spawn_in_scope(provider, scope, call, cache);
  if (created) RETVAL_OBJ(object_of(*created));
  OBJ_RELEASE(scope);
}
