#include "pdo/methods.hpp"

#include <array>

#include "pdo/template.hpp"
#include "support/error.hpp"

using namespace trueasync::php;
using namespace trueasync::php::pdo;

namespace {

enum Method : std::size_t {
  kConstruct,
  kPrepare,
  kBegin,
  kCommit,
  kRollBack,
  kInTransaction,
  kSetAttribute,
  kExec,
  kLastInsertId,
  kErrorCode,
  kErrorInfo,
  kGetAttribute,
  kQuery,
  kQuote,
  kConnect,
  kMethodCount
};

std::array<zif_handler, kMethodCount> originals{};

template <Method M>
void run_original(INTERNAL_FUNCTION_PARAMETERS) {
  originals[M](INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// Both stay until the call is over, whoever lets them go meanwhile; the frame's own reference is to what it shows.
void run_on(Connection& connection, zif_handler handler, INTERNAL_FUNCTION_PARAMETERS) {
  zend_object* self = Z_OBJ(EX(This));
  zend_object* object = connection.object();
  GC_ADDREF(self);
  GC_ADDREF(object);
  ++connection.calls;
  Z_OBJ(EX(This)) = object;
  handler(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  Z_OBJ(EX(This)) = self;
  --connection.calls;
  if (connection.binding) {
    connection.binding->settle();
  } else if (connection.calls == 0) {
    connection.give_back();
  }
  OBJ_RELEASE(object);
  OBJ_RELEASE(self);
}

// It was thrown where the pool connects; the caller is where it matters.
void blame_caller() noexcept {
  zend_object* error = EG(exception);
  if (!error || !instanceof_function(error->ce, classes.exception)) return;
  zval value;
  ZVAL_STR(&value,
           zend_get_executed_filename_ex() ? zend_string_copy(zend_get_executed_filename_ex()) : ZSTR_EMPTY_ALLOC());
  zend_update_property_ex(zend_ce_exception, error, ZSTR_KNOWN(ZEND_STR_FILE), &value);
  zval_ptr_dtor(&value);
  ZVAL_LONG(&value, zend_get_executed_lineno());
  zend_update_property_ex(zend_ce_exception, error, ZSTR_KNOWN(ZEND_STR_LINE), &value);
}

void run_pooled(Template& pooled, zif_handler handler, INTERNAL_FUNCTION_PARAMETERS) {
  if (Connection* connection = pooled.bind()) return run_on(*connection, handler, INTERNAL_FUNCTION_PARAM_PASSTHRU);
  blame_caller();
}

Connection* bound(const Template& pooled) noexcept {
  Binding* binding = Binding::find(*pooled.recipe());
  return binding && binding->connection && !binding->connection->is_broken ? binding->connection : nullptr;
}

// What needs a connection.
template <Method M>
void on_any(INTERNAL_FUNCTION_PARAMETERS) {
  Template* pooled = Template::of(Z_OBJ(EX(This)));
  if (!pooled) return originals[M](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  run_pooled(*pooled, originals[M], INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// What has an answer without one: `otherwise` gives it (DB-05, DB-13).
template <Method M, auto Otherwise>
void on_bound(INTERNAL_FUNCTION_PARAMETERS) {
  Template* pooled = Template::of(Z_OBJ(EX(This)));
  if (!pooled) return originals[M](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (Connection* connection = bound(*pooled)) {
    return run_on(*connection, originals[M], INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  Otherwise(*pooled, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void no_transaction(Template&, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  raise_pdo("There is no active transaction");
}

void not_in_transaction(Template&, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_FALSE;
}

void last_error_code(Template& pooled, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  const Binding* binding = Binding::find(*pooled.recipe());
  RETURN_STRING(binding ? binding->error_code : "00000");
}

void last_error_info(Template& pooled, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  const Binding* binding = Binding::find(*pooled.recipe());
  if (binding && binding->error_info) return binding->error_info.copy_to(return_value);
  array_init(return_value);
  add_next_index_string(return_value, binding ? binding->error_code : "00000");
  add_next_index_null(return_value);
  add_next_index_null(return_value);
}

// That of this coroutine's last write: a connection remembers those of whoever had it before.
void last_id(INTERNAL_FUNCTION_PARAMETERS) {
  Template* pooled = Template::of(Z_OBJ(EX(This)));
  if (!pooled) return originals[kLastInsertId](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  Connection* connection = bound(*pooled);
  if (connection && (connection->has_written || connection->is_touched)) {
    return run_on(*connection, originals[kLastInsertId], INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  Binding* binding = Binding::find(*pooled->recipe());
  if (binding && binding->last_id) return binding->last_id.copy_to(return_value);
  if (binding && binding->has_lost_last_id) {
    return raise_pdo("The connection of the last insert went to another coroutine: use RETURNING, or a transaction");
  }
  if (pooled->recipe()->driver != Driver::pgsql) RETURN_STRINGL("0", 1);
  raise_pdo("This coroutine has inserted nothing that it could know the id of");
}

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

bool has_pool_attributes(const zval* options) noexcept {
  if (!options || Z_TYPE_P(options) != IS_ARRAY) return false;
  zend_long one = kPoolEnabled;
  while (is_pool_attribute(one) && !zend_hash_index_exists(Z_ARRVAL_P(options), static_cast<zend_ulong>(one))) ++one;
  return is_pool_attribute(one);
}

bool wants_pool(zval* options) noexcept {
  if (!options || Z_TYPE_P(options) != IS_ARRAY) return false;
  zval* enabled = zend_hash_index_find(Z_ARRVAL_P(options), kPoolEnabled);
  return enabled && zend_is_true(enabled);
}

void construct(INTERNAL_FUNCTION_PARAMETERS) {
  if (Template::of(Z_OBJ(EX(This)))) return refuse_connect(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  zval* options = ZEND_NUM_ARGS() > 3 ? ZEND_CALL_ARG(execute_data, 4) : nullptr;
  if (options) ZVAL_DEREF(options);
  if (!wants_pool(options)) {
    // PDO sees what it knows. The frame owns its arguments.
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
  if (!Template::construct(Z_OBJ(EX(This)), arguments)) blame_caller();
}

// PHP 8.4: PDO::connect() makes the object itself (DB-16).
void connect(INTERNAL_FUNCTION_PARAMETERS) {
  zval* options = ZEND_NUM_ARGS() > 3 ? ZEND_CALL_ARG(execute_data, 4) : nullptr;
  if (wants_pool(options)) {
    return raise_pdo(
        "PDO::connect() makes one connection: for a pool use new PDO(…, [PDO::ATTR_POOL_ENABLED => true])");
  }
  originals[kConnect](INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

struct Replacement {
  const char* name;
  zif_handler ours;
};

constexpr std::array<Replacement, kMethodCount> kReplacements{{
    {"__construct", &construct},
    {"prepare", &on_any<kPrepare>},
    {"begintransaction", &on_any<kBegin>},
    {"commit", &on_bound<kCommit, &no_transaction>},
    {"rollback", &on_bound<kRollBack, &no_transaction>},
    {"intransaction", &on_bound<kInTransaction, &not_in_transaction>},
    {"setattribute", &set_attribute},
    {"exec", &on_any<kExec>},
    {"lastinsertid", &last_id},
    {"errorcode", &on_bound<kErrorCode, &last_error_code>},
    {"errorinfo", &on_bound<kErrorInfo, &last_error_info>},
    {"getattribute", &get_attribute},
    {"query", &on_any<kQuery>},
    {"quote", &on_any<kQuote>},
    {"connect", &connect},
}};

void get_pool(INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  Template* pooled = Template::of(Z_OBJ(EX(This)));
  if (pooled && pooled->pool_object()) RETURN_OBJ_COPY(pooled->pool_object());
}

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_get_pool, 0, 0, Async\\Pool, 1)
ZEND_END_ARG_INFO()

const zend_function_entry kAdded[] = {ZEND_RAW_FENTRY("getPool", &get_pool, arginfo_get_pool, ZEND_ACC_PUBLIC)
                                          ZEND_FE_END};

template <class F>
void for_each_pdo_class(F&& body) noexcept {
  void* item;
  ZEND_HASH_FOREACH_PTR(CG(class_table), item) {
    auto* entry = static_cast<zend_class_entry*>(item);
    if (entry->type == ZEND_INTERNAL_CLASS && instanceof_function(entry, classes.pdo)) body(entry);
  }
  ZEND_HASH_FOREACH_END();
}

// In PDO and the classes that have copied its methods already: a driver's, since PHP 8.4.
void exchange_handlers(bool ours) noexcept {
  for_each_pdo_class([&](zend_class_entry* entry) {
    for (std::size_t i = 0; i < kMethodCount; ++i) {
      const Replacement& one = kReplacements[i];
      auto* function = static_cast<zend_internal_function*>(
          zend_hash_str_find_ptr(&entry->function_table, one.name, std::strlen(one.name)));
      if (!function) continue;
      if (!originals[i]) originals[i] = function->handler;
      const zif_handler expected = ours ? originals[i] : one.ours;
      if (function->handler == expected) function->handler = ours ? one.ours : originals[i];
    }
  });
}

}  // namespace

namespace trueasync::php::pdo {

Value without_pool_attributes(const zval* options) noexcept {
  zval copy;
  if (options && Z_TYPE_P(options) == IS_ARRAY) {
    ZVAL_ARR(&copy, zend_array_dup(Z_ARRVAL_P(options)));
  } else {
    array_init(&copy);
  }
  for (zend_long one = kPoolEnabled; one <= kPoolStmtCacheSize; ++one) {
    zend_hash_index_del(Z_ARRVAL(copy), static_cast<zend_ulong>(one));
  }
  return Value::adopt(&copy);
}

void call_driver_method(zend_execute_data* execute_data, zval* return_value) {
  Template* pooled = Template::of(Z_OBJ(EX(This)));
  Connection* connection = pooled ? pooled->bind() : nullptr;
  if (!connection) return blame_caller();
  zend_object* object = connection->object();
  zend_function* method = object->handlers->get_method(&object, EX(func)->common.function_name, nullptr);
  if (!method || !connection->enter()) return;
  connection->note(SqlEffect::touches);
  run_on(*connection, method->internal_function.handler, INTERNAL_FUNCTION_PARAM_PASSTHRU);
  connection->leave();
  const bool is_for_all = std::strncmp(ZSTR_VAL(EX(func)->common.function_name), "sqliteCreate", 12) == 0;
  if (!is_for_all || EG(exception)) return;
  pooled->recipe()->record_call(EX(func)->common.function_name, ZEND_CALL_ARG(execute_data, 1), ZEND_NUM_ARGS());
}

void refuse_connect(zend_execute_data* execute_data, zval* return_value) {
  (void)execute_data;
  (void)return_value;
  raise_pdo(
      "A pooled PDO connects by itself: give the target to the constructor, with PDO::ATTR_POOL_ENABLED, of another "
      "one");
}

void raise_pdo(const std::string& message) noexcept { zend_throw_exception(classes.exception, message.c_str(), 0); }

void register_pool() {
  classes.pdo = static_cast<zend_class_entry*>(zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdo")));
  classes.exception =
      static_cast<zend_class_entry*>(zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdoexception")));
  if (!classes.pdo || !classes.exception) {
    classes = {};
    return;
  }
  const auto declare = [](const char* name, zend_long value) {
    zend_declare_class_constant_long(classes.pdo, name, std::strlen(name), value);
  };
  declare("ATTR_POOL_ENABLED", kPoolEnabled);
  declare("ATTR_POOL_MIN", kPoolMin);
  declare("ATTR_POOL_MAX", kPoolMax);
  declare("ATTR_POOL_HEALTHCHECK_INTERVAL", kPoolHealthcheckInterval);
  declare("ATTR_POOL_STMT_CACHE_SIZE", kPoolStmtCacheSize);
  for_each_pdo_class([](zend_class_entry* entry) {
    zend_register_functions(entry, kAdded, &entry->function_table, MODULE_PERSISTENT);
  });
  exchange_handlers(true);
}

void unregister_pool() noexcept {
  if (!classes.pdo) return;
  exchange_handlers(false);
  for_each_pdo_class([](zend_class_entry* entry) { zend_hash_str_del(&entry->function_table, ZEND_STRL("getpool")); });
  classes = {};
  originals = {};
}

}  // namespace trueasync::php::pdo
