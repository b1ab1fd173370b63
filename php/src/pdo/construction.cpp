#include "pdo/methods.hpp"

namespace trueasync::php::pdo {

namespace {

bool has_pool_attributes(const zval* options) noexcept {
  if (!options || Z_TYPE_P(options) != IS_ARRAY) return false;
  for (zend_long attribute = kPoolEnabled; is_pool_attribute(attribute); ++attribute) {
    if (zend_hash_index_exists(Z_ARRVAL_P(options), static_cast<zend_ulong>(attribute))) return true;
  }
  return false;
}

bool wants_pool(zval* options) noexcept {
  if (!options || Z_TYPE_P(options) != IS_ARRAY) return false;
  zval* enabled = zend_hash_index_find(Z_ARRVAL_P(options), kPoolEnabled);
  return enabled && zend_is_true(enabled);
}

}  // namespace

Value without_pool_attributes(const zval* options) noexcept {
  zval copy;
  if (options && Z_TYPE_P(options) == IS_ARRAY) {
    ZVAL_ARR(&copy, zend_array_dup(Z_ARRVAL_P(options)));
  } else {
    array_init(&copy);
  }
  for (zend_long attribute = kPoolEnabled; is_pool_attribute(attribute); ++attribute) {
    zend_hash_index_del(Z_ARRVAL(copy), static_cast<zend_ulong>(attribute));
  }
  return Value::adopt(&copy);
}

void construct(INTERNAL_FUNCTION_PARAMETERS) {
  if (PooledPdo::of(Z_OBJ(EX(This)))) return reject_connect(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  zval* options = ZEND_NUM_ARGS() > 3 ? ZEND_CALL_ARG(execute_data, 4) : nullptr;
  if (options) ZVAL_DEREF(options);
  if (!wants_pool(options)) {
    // PDO must not see the pool's attributes. The frame owns its arguments, so the replacement goes there.
    if (has_pool_attributes(options)) {
      Value plain = without_pool_attributes(options);
      zval_ptr_dtor(ZEND_CALL_ARG(execute_data, 4));
      plain.move_to(ZEND_CALL_ARG(execute_data, 4));
    }
    return originals[kConstruct](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  zend_string* dsn;
  zend_string* user = nullptr;
  zend_string* password = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 4)
  Z_PARAM_STR(dsn)
  Z_PARAM_OPTIONAL
  Z_PARAM_STR_OR_NULL(user)
  Z_PARAM_STR_OR_NULL(password)
  Z_PARAM_ARRAY_OR_NULL(options)
  ZEND_PARSE_PARAMETERS_END();
  zval arguments[4];
  ZVAL_STR(&arguments[0], dsn);
  ZVAL_NULL(&arguments[1]);
  ZVAL_NULL(&arguments[2]);
  if (user) ZVAL_STR(&arguments[1], user);
  if (password) ZVAL_STR(&arguments[2], password);
  ZVAL_COPY_VALUE(&arguments[3], options);
  if (!PooledPdo::construct(Z_OBJ(EX(This)), arguments)) set_exception_location_to_caller();
}

// PHP 8.4: PDO::connect() creates the object itself, so it cannot be a pooled one.
void connect(INTERNAL_FUNCTION_PARAMETERS) {
  zval* options = ZEND_NUM_ARGS() > 3 ? ZEND_CALL_ARG(execute_data, 4) : nullptr;
  if (wants_pool(options)) {
    return throw_pdo_exception("PDO::connect() cannot create a pool; use new PDO(…, [PDO::ATTR_POOL_ENABLED => true])");
  }
  originals[kConnect](INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void reject_connect(INTERNAL_FUNCTION_PARAMETERS) { throw_connect_rejected(); }

void throw_connect_rejected() noexcept {
  throw_pdo_exception(
      "Cannot connect a pooled PDO to another target; create a new PDO with PDO::ATTR_POOL_ENABLED for that target");
}

}  // namespace trueasync::php::pdo
