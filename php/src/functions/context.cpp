// Async\current_context(), coroutine_context(), root_context() and request_context().
#include "context.hpp"
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "scope.hpp"
#include "support/error.hpp"

using namespace trueasync;
using namespace trueasync::php;

// Starts the runtime if necessary, so that values set before the first spawn() are kept.
ZEND_FUNCTION(Async_current_context) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!engine::ensure_started()) return;
  catch_to_php([&] { RETVAL_OBJ(context_object(current_scope())); });
}

ZEND_FUNCTION(Async_coroutine_context) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!engine::ensure_started()) return;
  CoroutineObject* self = engine::current();
  if (!self) return throw_exception(exceptions.async, "The current coroutine is not defined");
  catch_to_php([&] { RETVAL_OBJ(context_object(*self)); });
}

ZEND_FUNCTION(Async_root_context) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!engine::ensure_started()) return;
  catch_to_php([&] { RETVAL_OBJ(context_object(detail::Access::state(Scope::root()))); });
}

// Returns null: request scopes exist only in servers that set one for each request, which this extension does not have.
ZEND_FUNCTION(Async_request_context) { ZEND_PARSE_PARAMETERS_NONE(); }
