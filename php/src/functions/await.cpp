// await() of one. Its family, which awaits several, is in await_many.cpp.
#include "engine/runtime.hpp"
#include "interfaces.hpp"
#include "support/object.hpp"
#include "support/wait.hpp"

using namespace trueasync::php;

ZEND_FUNCTION(Async_await) {
  zval* what;
  zval* token = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 2)
  Z_PARAM_OBJECT(what)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.completable)
  ZEND_PARSE_PARAMETERS_END();
  AwaitableSource* source = completable_source(what);
  if (__builtin_expect(!source, 0)) {
    zend_argument_type_error(1, "must be of type Async\\Completable, %s given", zend_zval_type_name(what));
    return;
  }
  if (!engine::ensure_started()) return;
  await_source(*source, token ? completable_source(token) : nullptr, return_value, executing_location());
}
