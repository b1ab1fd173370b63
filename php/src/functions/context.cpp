// current_context() and its like.
#include "context.hpp"
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "scope.hpp"
#include "support/error.hpp"

using namespace trueasync;
using namespace trueasync::php;

// CX-03: the runtime starts on demand, so what is set before the first coroutine stays.
ZEND_FUNCTION(Async_current_context) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!engine::ensure_started()) return;
  catch_to_php([&] { RETVAL_OBJ(context_object(current_scope())); });
}

ZEND_FUNCTION(Async_coroutine_context) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!engine::ensure_started()) return;
  CoroutineObject* self = engine::current();
  if (!self)
    return throw_exception(exceptions.async, "No coroutine is running: this code is called by the scheduler itself");
  catch_to_php([&] { RETVAL_OBJ(context_object(*self)); });
}

ZEND_FUNCTION(Async_root_context) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!engine::ensure_started()) return;
  catch_to_php([&] { RETVAL_OBJ(context_object(detail::Access::state(Scope::root()))); });
}

// Only a server that gives each request a scope of its own has one.
ZEND_FUNCTION(Async_request_context) { ZEND_PARSE_PARAMETERS_NONE(); }
