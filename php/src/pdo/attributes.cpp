#include "pdo/methods.hpp"

namespace trueasync::php::pdo {

void get_attribute(INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  const zval* number = ZEND_NUM_ARGS() > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
  const zend_long attribute = number && Z_TYPE_P(number) == IS_LONG ? Z_LVAL_P(number) : -1;
  if (is_pool_attribute(attribute)) {
    if (!pooled) RETURN_FALSE;
    const ConnectionConfig& recipe = *pooled->recipe();
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

// PDO answers for these itself; whatever else is set, its driver does.
static bool is_pdos_own(zend_long attribute) noexcept {
  return attribute == PDO_ATTR_CASE || attribute == PDO_ATTR_ORACLE_NULLS || attribute == PDO_ATTR_ERRMODE ||
         attribute == PDO_ATTR_STATEMENT_CLASS || attribute == PDO_ATTR_DEFAULT_FETCH_MODE ||
         attribute == PDO_ATTR_STRINGIFY_FETCHES;
}

// What a driver never rejects need not be asked of one: such a pool connects when it has something to do.
static bool is_welcome(Driver driver, zend_long attribute, const zval* value) noexcept {
  const bool is_number = Z_TYPE_P(value) == IS_LONG || Z_TYPE_P(value) == IS_TRUE || Z_TYPE_P(value) == IS_FALSE;
  if (!is_number) return false;
  if (attribute == PDO_ATTR_EMULATE_PREPARES) return driver == Driver::mysql || driver == Driver::pgsql;
  return attribute == PDO_ATTR_AUTOCOMMIT && driver == Driver::mysql;
}

void set_attribute(INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  zval* number = ZEND_NUM_ARGS() > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
  const zend_long attribute = number && Z_TYPE_P(number) < IS_ARRAY ? zval_get_long(number) : -1;
  if (is_pool_attribute(attribute)) {
    return raise_pdo("PDO::ATTR_POOL_… are options of the constructor: a pool can't be changed later");
  }
  const bool is_complete = ZEND_NUM_ARGS() == 2;
  if (!pooled || !pooled->is_constructed || !is_complete) {
    return originals[kSetAttribute](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  const auto has_failed = [&] { return EG(exception) || Z_TYPE_P(return_value) != IS_TRUE; };
  zval* value = ZEND_CALL_ARG(execute_data, 2);
  if (is_pdos_own(attribute) || is_welcome(pooled->recipe()->driver, attribute, value)) {
    originals[kSetAttribute](INTERNAL_FUNCTION_PARAM_PASSTHRU);
    Connection* connection = has_failed() ? nullptr : bound(*pooled);
    if (connection) run_on(*connection, originals[kSetAttribute], INTERNAL_FUNCTION_PARAM_PASSTHRU);
  } else {
    run_pooled(*pooled, originals[kSetAttribute], INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  if (!has_failed()) pooled->recipe()->record(attribute, value);
}

}  // namespace trueasync::php::pdo
