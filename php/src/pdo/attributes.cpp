#include "pdo/methods.hpp"

namespace trueasync::php::pdo {

void get_attribute(INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  const zval* number = ZEND_NUM_ARGS() > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
  const zend_long attribute = number && Z_TYPE_P(number) == IS_LONG ? Z_LVAL_P(number) : -1;
  if (is_pool_attribute(attribute)) {
    if (!pooled) RETURN_FALSE;
    const ConnectionConfig& config = *pooled->config();
    switch (attribute) {
      case kPoolEnabled:
        RETURN_TRUE;
      case kPoolMin:
        RETURN_LONG(config.min);
      case kPoolMax:
        RETURN_LONG(config.max);
      case kPoolHealthcheckInterval:
        RETURN_LONG(config.healthcheck_interval);
      default:
        RETURN_LONG(static_cast<zend_long>(config.cache_size));
    }
  }
  if (!pooled) return originals[kGetAttribute](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  // PooledPdo stores the general attributes. The driver's attributes are read from a connection.
  const bool is_general = attribute == PDO_ATTR_PERSISTENT || attribute == PDO_ATTR_CASE ||
                          attribute == PDO_ATTR_ORACLE_NULLS || attribute == PDO_ATTR_ERRMODE ||
                          attribute == PDO_ATTR_DRIVER_NAME || attribute == PDO_ATTR_STATEMENT_CLASS ||
                          attribute == PDO_ATTR_DEFAULT_FETCH_MODE || pooled->config()->find_attribute(attribute);
  if (is_general) return originals[kGetAttribute](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  run_pooled(*pooled, originals[kGetAttribute], INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// PDO handles these attributes itself; the driver handles all others.
static bool is_generic_attribute(zend_long attribute) noexcept {
  return attribute == PDO_ATTR_CASE || attribute == PDO_ATTR_ORACLE_NULLS || attribute == PDO_ATTR_ERRMODE ||
         attribute == PDO_ATTR_STATEMENT_CLASS || attribute == PDO_ATTR_DEFAULT_FETCH_MODE ||
         attribute == PDO_ATTR_STRINGIFY_FETCHES;
}

// Whether the driver accepts every value. Then setAttribute() needs no connection, and the pool connects later.
static bool is_always_accepted(Driver driver, zend_long attribute, const zval* value) noexcept {
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
    return throw_pdo_exception(
        "Cannot change PDO::ATTR_POOL_… after construction; pass it as an option to the constructor");
  }
  const bool is_complete = ZEND_NUM_ARGS() == 2;
  if (!pooled || !pooled->is_constructed || !is_complete) {
    return originals[kSetAttribute](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  const auto has_failed = [&] { return EG(exception) || Z_TYPE_P(return_value) != IS_TRUE; };
  zval* value = ZEND_CALL_ARG(execute_data, 2);
  if (is_generic_attribute(attribute) || is_always_accepted(pooled->config()->driver, attribute, value)) {
    originals[kSetAttribute](INTERNAL_FUNCTION_PARAM_PASSTHRU);
    Connection* connection = has_failed() ? nullptr : find_bound_connection(*pooled);
    if (connection) run_on_connection(*connection, originals[kSetAttribute], INTERNAL_FUNCTION_PARAM_PASSTHRU);
  } else {
    run_pooled(*pooled, originals[kSetAttribute], INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  if (!has_failed()) pooled->config()->record_attribute(attribute, value);
}

}  // namespace trueasync::php::pdo
