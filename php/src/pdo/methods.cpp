#include "pdo/methods.hpp"

#include "support/error.hpp"

namespace trueasync::php::pdo {

// The call may release both objects, so each gets an additional reference.
void run_on_connection(Connection& connection, zif_handler handler, INTERNAL_FUNCTION_PARAMETERS) {
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
    connection.binding->release_if_free();
  } else if (connection.calls == 0) {
    connection.release_lease_if_free();
  }
  OBJ_RELEASE(object);
  OBJ_RELEASE(self);
}

void set_exception_location_to_caller() noexcept {
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

void run_pooled(PooledPdo& pooled, zif_handler handler, INTERNAL_FUNCTION_PARAMETERS) {
  if (Connection* connection = pooled.bind())
    return run_on_connection(*connection, handler, INTERNAL_FUNCTION_PARAM_PASSTHRU);
  set_exception_location_to_caller();
}

Connection* find_bound_connection(const PooledPdo& pooled) noexcept {
  ConnectionBinding* binding = ConnectionBinding::find(*pooled.config());
  return binding && binding->connection && !binding->connection->is_broken ? binding->connection : nullptr;
}

// Functions of SQLite are created on every connection, so they do not count as a modified session.
static bool applies_to_all_connections(const zend_function* method) noexcept {
  const char* name = ZSTR_VAL(method->common.function_name);
  return std::strncmp(name, "sqliteCreate", 12) == 0 || std::strncmp(name, "create", 6) == 0;
}

static void run_driver_method(PooledPdo& pooled, Connection& connection, zif_handler handler,
                              INTERNAL_FUNCTION_PARAMETERS) {
  if (!connection.enter()) return;
  const bool is_shared = applies_to_all_connections(EX(func));
  if (!is_shared) connection.record_effect(SqlEffect::modifies_session);
  ++connection.calls;
  run_on_connection(connection, handler, INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (is_shared && !EG(exception)) {
    ConnectionConfig& config = *pooled.config();
    config.record_call(EX(func)->common.function_name, ZEND_CALL_ARG(execute_data, 1), ZEND_NUM_ARGS());
    if (++connection.applied_driver_calls == config.calls.size()) connection.settings_version = config.settings_version;
  }
  --connection.calls;
  connection.leave();
  if (connection.binding) connection.binding->release_if_free();
}

void call_driver_method(INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  Connection* connection = pooled ? pooled->bind() : nullptr;
  if (!connection) return set_exception_location_to_caller();
  zend_object* object = connection->object();
  zend_function* method = object->handlers->get_method(&object, EX(func)->common.function_name, nullptr);
  if (!method) return;
  run_driver_method(*pooled, *connection, method->internal_function.handler, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void call_class_method(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  if (!pooled) return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  Connection* connection = pooled->bind();
  if (!connection) return set_exception_location_to_caller();
  run_driver_method(*pooled, *connection, original, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

namespace {

// A method that needs a connection.
template <Method M>
void call_pooled(INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  if (!pooled) return originals[M](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  run_pooled(*pooled, originals[M], INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// A method that does not acquire a connection: `Fallback` runs if the coroutine has none.
template <Method M, auto Fallback>
void call_bound_or(INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  if (!pooled) return originals[M](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (Connection* connection = find_bound_connection(*pooled)) {
    return run_on_connection(*connection, originals[M], INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  Fallback(*pooled, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void throw_no_transaction(PooledPdo&, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  throw_pdo_exception("There is no active transaction");
}

void return_not_in_transaction(PooledPdo&, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_FALSE;
}

void return_last_error_code(PooledPdo& pooled, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  const ConnectionBinding* binding = ConnectionBinding::find(*pooled.config());
  RETURN_STRING(binding ? binding->error_code : "00000");
}

void return_last_error_info(PooledPdo& pooled, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  const ConnectionBinding* binding = ConnectionBinding::find(*pooled.config());
  if (binding && binding->error_info) return binding->error_info.copy_to(return_value);
  array_init(return_value);
  add_next_index_string(return_value, binding ? binding->error_code : "00000");
  add_next_index_null(return_value);
  add_next_index_null(return_value);
}

// Returns the id of this coroutine's last write. A connection may also know the id of another coroutine's write.
void last_insert_id(INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  if (!pooled) return originals[kLastInsertId](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  Connection* connection = find_bound_connection(*pooled);
  if (connection && (connection->has_written || connection->session_modified)) {
    return run_on_connection(*connection, originals[kLastInsertId], INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  ConnectionBinding* binding = ConnectionBinding::find(*pooled->config());
  if (binding && binding->last_id) return binding->last_id.copy_to(return_value);
  if (binding && binding->has_lost_last_id) {
    return throw_pdo_exception(
        "The last insert id is not available: its connection was returned to the pool; use RETURNING or a transaction");
  }
  if (pooled->config()->driver != Driver::pgsql) RETURN_STRINGL("0", 1);
  throw_pdo_exception("The last insert id is not available: this coroutine has not inserted a row");
}

}  // namespace

const std::array<Replacement, kMethodCount> kReplacements{{
    {"__construct", &construct},
    {"prepare", &call_pooled<kPrepare>},
    {"begintransaction", &call_pooled<kBegin>},
    {"commit", &call_bound_or<kCommit, &throw_no_transaction>},
    {"rollback", &call_bound_or<kRollBack, &throw_no_transaction>},
    {"intransaction", &call_bound_or<kInTransaction, &return_not_in_transaction>},
    {"setattribute", &set_attribute},
    {"exec", &call_pooled<kExec>},
    {"lastinsertid", &last_insert_id},
    {"errorcode", &call_bound_or<kErrorCode, &return_last_error_code>},
    {"errorinfo", &call_bound_or<kErrorInfo, &return_last_error_info>},
    {"getattribute", &get_attribute},
    {"query", &call_pooled<kQuery>},
    {"quote", &call_pooled<kQuote>},
    {"connect", &connect},
}};

}  // namespace trueasync::php::pdo
