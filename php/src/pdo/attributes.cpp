#include "pdo/methods.hpp"

namespace trueasync::php::pdo {

void get_attribute(INTERNAL_FUNCTION_PARAMETERS) {
  Template* pooled = Template::of(Z_OBJ(EX(This)));
  const zval* number = ZEND_NUM_ARGS() > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
  const zend_long attribute = number && Z_TYPE_P(number) == IS_LONG ? Z_LVAL_P(number) : -1;
  if (is_pool_attribute(attribute)) {
    if (!pooled) RETURN_FALSE;
    const Recipe& recipe = *pooled->recipe();
    switch (attribute) {
      case kPoolEnabled:
        RETURN_TRUE;
      case kPoolMin:
        RETURN_LONG(recipe.min);
      case kPoolMax:
        RETURN_LONG(recipe.max);
      case kPoolHealthcheckInterval:
        RETURN_LONG(recipe.interval);
      default:
        RETURN_LONG(static_cast<zend_long>(recipe.cache_size));
    }
  }
  if (!pooled) return originals[kGetAttribute](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  // PDO's own are kept by the template; the drivers' are asked of a connection.
  const bool is_general = attribute == PDO_ATTR_PERSISTENT || attribute == PDO_ATTR_CASE ||
                          attribute == PDO_ATTR_ORACLE_NULLS || attribute == PDO_ATTR_ERRMODE ||
                          attribute == PDO_ATTR_DRIVER_NAME || attribute == PDO_ATTR_STATEMENT_CLASS ||
                          attribute == PDO_ATTR_DEFAULT_FETCH_MODE || pooled->recipe()->find_attribute(attribute);
  if (is_general) return originals[kGetAttribute](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  run_pooled(*pooled, originals[kGetAttribute], INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void set_attribute(INTERNAL_FUNCTION_PARAMETERS) {
  Template* pooled = Template::of(Z_OBJ(EX(This)));
  const zval* number = ZEND_NUM_ARGS() > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
  const zend_long attribute = number && Z_TYPE_P(number) == IS_LONG ? Z_LVAL_P(number) : -1;
  if (is_pool_attribute(attribute)) {
    return raise_pdo("PDO::ATTR_POOL_… are options of the constructor: a pool can't be changed later");
  }
  originals[kSetAttribute](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (!pooled || !pooled->is_constructed || EG(exception) || Z_TYPE_P(return_value) != IS_TRUE) return;
  if (Connection* connection = bound(*pooled)) {
    run_on(*connection, originals[kSetAttribute], INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (EG(exception) || Z_TYPE_P(return_value) != IS_TRUE) return;
  }
  pooled->recipe()->record(attribute, ZEND_CALL_ARG(execute_data, 2));
}

}  // namespace trueasync::php::pdo
