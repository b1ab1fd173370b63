#include "pdo/methods.hpp"

#include "support/error.hpp"

namespace trueasync::php::pdo {

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
  if (Connection* connection = pooled.bind()) return run_on(*connection, handler, INTERNAL_FUNCTION_PARAM_PASSTHRU);
  set_exception_location_to_caller();
}

Connection* bound(const PooledPdo& pooled) noexcept {
  ConnectionBinding* binding = ConnectionBinding::find(*pooled.recipe());
  return binding && binding->connection && !binding->connection->is_broken ? binding->connection : nullptr;
}

// What every connection gets leaves none in a state of its own: functions of SQLite.
static bool is_for_all(const zend_function* method) noexcept {
  const char* name = ZSTR_VAL(method->common.function_name);
  return std::strncmp(name, "sqliteCreate", 12) == 0 || std::strncmp(name, "create", 6) == 0;
}

static void run_driver_method(PooledPdo& pooled, Connection& connection, zif_handler handler,
                              INTERNAL_FUNCTION_PARAMETERS) {
  if (!connection.enter()) return;
  const bool for_all = is_for_all(EX(func));
  if (!for_all) connection.record_effect(SqlEffect::modifies_session);
  ++connection.calls;
  run_on(connection, handler, INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (for_all && !EG(exception)) {
    ConnectionConfig& recipe = *pooled.recipe();
    recipe.record_call(EX(func)->common.function_name, ZEND_CALL_ARG(execute_data, 1), ZEND_NUM_ARGS());
    if (++connection.driver_calls == recipe.calls.size()) connection.attributes = recipe.version;
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

// What needs a connection.
template <Method M>
void on_any(INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  if (!pooled) return originals[M](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  run_pooled(*pooled, originals[M], INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// What has an answer without one: `otherwise` gives it (DB-05, DB-13).
template <Method M, auto Otherwise>
void on_bound(INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  if (!pooled) return originals[M](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (Connection* connection = bound(*pooled)) {
    return run_on(*connection, originals[M], INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  Otherwise(*pooled, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void no_transaction(PooledPdo&, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  raise_pdo("There is no active transaction");
}

void not_in_transaction(PooledPdo&, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_FALSE;
}

void last_error_code(PooledPdo& pooled, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  const ConnectionBinding* binding = ConnectionBinding::find(*pooled.recipe());
  RETURN_STRING(binding ? binding->error_code : "00000");
}

void last_error_info(PooledPdo& pooled, INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  const ConnectionBinding* binding = ConnectionBinding::find(*pooled.recipe());
  if (binding && binding->error_info) return binding->error_info.copy_to(return_value);
  array_init(return_value);
  add_next_index_string(return_value, binding ? binding->error_code : "00000");
  add_next_index_null(return_value);
  add_next_index_null(return_value);
}

// That of this coroutine's last write: a connection remembers those of whoever had it before.
void last_id(INTERNAL_FUNCTION_PARAMETERS) {
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  if (!pooled) return originals[kLastInsertId](INTERNAL_FUNCTION_PARAM_PASSTHRU);
  Connection* connection = bound(*pooled);
  if (connection && (connection->has_written || connection->session_modified)) {
    return run_on(*connection, originals[kLastInsertId], INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  ConnectionBinding* binding = ConnectionBinding::find(*pooled->recipe());
  if (binding && binding->last_id) return binding->last_id.copy_to(return_value);
  if (binding && binding->has_lost_last_id) {
    return raise_pdo("The connection of the last insert went to another coroutine: use RETURNING, or a transaction");
  }
  if (pooled->recipe()->driver != Driver::pgsql) RETURN_STRINGL("0", 1);
  raise_pdo("This coroutine has inserted nothing that it could know the id of");
}

}  // namespace

const std::array<Replacement, kMethodCount> kReplacements{{
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

}  // namespace trueasync::php::pdo
