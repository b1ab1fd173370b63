// The methods of Async\Scope.
#include "coroutine.hpp"
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "interfaces.hpp"
#include "scope.hpp"
#include "scope_handlers.hpp"
#include "support/arguments.hpp"
#include "support/duration.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"

namespace trueasync::php {

namespace {

ScopeObject& this_scope(zval* value) noexcept { return Class<ScopeObject>::self(value); }

// Ties a new scope to its PHP object. A child scope inherits asNotSafely() from its parent.
void attach(ScopeObject& object, Scope scope) {
  detail::ScopeState& state = detail::Access::state(scope);
  ScopeExtension& extension = extension_of(state);
  if (detail::ScopeState* parent = state.parent()) {
    extension.is_not_safely = extension_of(*parent).is_not_safely;
  }
  extension.object = &object;
  object.scope = scope;
  object.share = std::move(scope);
}

// Stores the event of a token, or null without a token. The token counts as used from now on. Returns false if
// EG(exception) is set.
bool find_token_event(zval* token, Event*& event) {
  event = nullptr;
  if (!token) return true;
  AwaitableSource* source = awaitable_source(token);
  event = source ? source->event() : nullptr;
  return event != nullptr;
}

// A coroutine that awaits its own scope would wait for itself. Programs compare the message.
// Returns false if EG(exception) is set.
bool check_not_own_scope(const ScopeObject& self) {
  bool is_own = false;
  catch_to_php([&] { is_own = self.state().is_ancestor_of(current_scope()); });
  if (EG(exception)) return false;
  if (!is_own) return true;
  throw_exception(exceptions.async,
                  "Cannot await completion of scope from a coroutine that belongs to the same scope or its children");
  return false;
}

// Runs a body that waits. A fatal error in another coroutine may have ended the wait: then it bails out.
template <class F>
void guarded_wait(F&& body) noexcept {
  catch_to_php(std::forward<F>(body));
  if (__builtin_expect(engine::is_bailing, 0)) engine::bail_out();
}

// Destroys the old handler after the new one is set, because its destruction may run PHP code.
void set_handler(ScopeErrorHandler& handler, ScopeErrorCall call) {
  ScopeErrorHandler old_handler = std::exchange(handler, std::move(call));
}

}  // namespace

}  // namespace trueasync::php

using namespace trueasync;
using namespace trueasync::php;

ZEND_METHOD(Async_Scope, __construct) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!engine::ensure_started()) return;
  auto& self = this_scope(ZEND_THIS);
  if (self.scope) return throw_exception(exceptions.async, "Cannot call Async\\Scope::__construct() twice");
  catch_to_php([&] { attach(self, Scope()); });
}

ZEND_METHOD(Async_Scope, inherit) {
  zval* parent;
  if (!parse_optional_object(execute_data, Class<ScopeObject>::entry, parent)) return;
  if (!engine::ensure_started()) return;
  catch_to_php([&] {
    Scope scope = inherit_scope(parent);
    ScopeObject& created = Class<ScopeObject>::make();
    attach(created, std::move(scope));
    RETVAL_OBJ(Class<ScopeObject>::object_of(created));
  });
}

ZEND_METHOD(Async_Scope, provideScope) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Scope, asNotSafely) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_scope(ZEND_THIS);
  self.scope->as_not_safely();
  extension_of(self.state()).is_not_safely = true;
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Scope, allowZombies) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_scope(ZEND_THIS);
  self.scope->allow_zombies();
  extension_of(self.state()).is_not_safely = false;
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Scope, spawn) {
  zend_fcall_info call;
  zend_fcall_info_cache cache;
  zval* closure;
  zval* params = nullptr;
  uint32_t param_count = 0;
  HashTable* named_params = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, -1)
  Z_PARAM_OBJECT_OF_CLASS(closure, zend_ce_closure)
  Z_PARAM_VARIADIC_WITH_NAMED(params, param_count, named_params)
  ZEND_PARSE_PARAMETERS_END();
  if (zend_fcall_info_init(closure, 0, &call, &cache, nullptr, nullptr) != SUCCESS) return;
  call.params = params;
  call.param_count = param_count;
  call.named_params = named_params;
  SpawnSettings options;
  options.owner = detail::owner_of(this_scope(ZEND_THIS).state());
  if (CoroutineObject* created = spawn_coroutine(options, call, cache)) RETURN_OBJ(object_of(*created));
}

ZEND_METHOD(Async_Scope, cancel) {
  zend_object* reason;
  if (!parse_reason(execute_data, reason)) return;
  if (!engine::scheduler) return;
  zend_object* outer = std::exchange(cancel_reason, reason);
  catch_to_php([&] { this_scope(ZEND_THIS).scope->cancel(); });
  cancel_reason = outer;
}

ZEND_METHOD(Async_Scope, awaitCompletion) {
  zval* token;
  if (!parse_optional_object(execute_data, interfaces.awaitable, token)) return;
  Event* event;
  if (!engine::ensure_started() || !find_token_event(token, event)) return;
  if (!check_not_own_scope(this_scope(ZEND_THIS))) return;
  const ScopeRef& scope = *this_scope(ZEND_THIS).scope;
  guarded_wait([&] { scope.await_completion({{}, event}, executing_location()); });
}

ZEND_METHOD(Async_Scope, awaitAfterCancellation) {
  zend_fcall_info handler = empty_fcall_info;
  zend_fcall_info_cache cache;
  zval* token = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 2)
  Z_PARAM_OPTIONAL
  Z_PARAM_FUNC_OR_NULL(handler, cache)
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.awaitable)
  ZEND_PARSE_PARAMETERS_END();
  Event* event;
  if (!engine::ensure_started() || !find_token_event(token, event)) return;
  const ScopeRef& scope = *this_scope(ZEND_THIS).scope;
  if (!scope.is_closed()) {
    return throw_exception(exceptions.async, "Attempt to await a Scope that has not been cancelled");
  }
  if (!check_not_own_scope(this_scope(ZEND_THIS))) return;
  zend_object* thrown = nullptr;
  StoredCall stored;
  if (ZEND_FCI_INITIALIZED(handler)) stored.assign(handler, cache);
  guarded_wait([&] {
    // Without a PHP handler the errors are ignored.
    ScopeErrorHandler on_error = [](const std::exception_ptr&, const Coroutine&) {};
    if (stored) on_error = AwaitErrorCall(detail::Access::state(scope), stored, thrown);
    scope.await_after_cancellation(on_error, {{}, event}, executing_location());
  });
  if (!thrown) return;
  if (EG(exception)) {
    zend_exception_set_previous(EG(exception), thrown);
  } else {
    throw_exception(thrown);
  }
}

ZEND_METHOD(Async_Scope, isFinished) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(this_scope(ZEND_THIS).scope->is_finished());
}

ZEND_METHOD(Async_Scope, isClosed) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(this_scope(ZEND_THIS).scope->is_closed());
}

ZEND_METHOD(Async_Scope, isCancelled) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(this_scope(ZEND_THIS).scope->is_cancelled());
}

ZEND_METHOD(Async_Scope, setExceptionHandler) {
  zend_fcall_info handler;
  zend_fcall_info_cache cache;
  if (!parse_callable(execute_data, handler, cache)) return;
  detail::ScopeState& state = this_scope(ZEND_THIS).state();
  catch_to_php([&] { set_handler(state.on_error, ScopeErrorCall(state, handler, cache)); });
}

ZEND_METHOD(Async_Scope, setChildScopeExceptionHandler) {
  zend_fcall_info handler;
  zend_fcall_info_cache cache;
  if (!parse_callable(execute_data, handler, cache)) return;
  detail::ScopeState& state = this_scope(ZEND_THIS).state();
  catch_to_php([&] { set_handler(state.on_child_error, ScopeErrorCall(state, handler, cache)); });
}

ZEND_METHOD(Async_Scope, finally) {
  zval* callback;
  if (!parse_closure(execute_data, callback)) return;
  auto& self = this_scope(ZEND_THIS);
  catch_to_php([&] { self.scope->finally(ScopeFinallyCall(self.state(), callback)); });
}

ZEND_METHOD(Async_Scope, dispose) {
  ZEND_PARSE_PARAMETERS_NONE();
  catch_to_php([&] { this_scope(ZEND_THIS).scope->dispose(); });
}

ZEND_METHOD(Async_Scope, disposeSafely) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_scope(ZEND_THIS);
  catch_to_php([&] {
    if (extension_of(self.state()).is_not_safely) {
      self.scope->dispose();
    } else {
      self.scope->dispose_safely();
    }
  });
}

ZEND_METHOD(Async_Scope, disposeAfterTimeout) {
  zend_long timeout;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_LONG(timeout)
  ZEND_PARSE_PARAMETERS_END();
  if (timeout <= 0) {
    zend_argument_value_error(1, "must be greater than 0");
    return;
  }
  catch_to_php([&] { this_scope(ZEND_THIS).scope->dispose_after(to_duration(timeout)); });
}

ZEND_METHOD(Async_Scope, getChildScopes) {
  ZEND_PARSE_PARAMETERS_NONE();
  array_init(return_value);
  catch_to_php([&] {
    for (const ScopeRef& child : this_scope(ZEND_THIS).scope->children()) {
      add_next_index_object(return_value, scope_object(detail::Access::state(child)));
    }
  });
}
