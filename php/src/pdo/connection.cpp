#include "pdo/connection.hpp"

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "pdo/connection_config.hpp"
#include "pdo/statement.hpp"
#include "scheduler/report.hpp"
#include "support/library_call.hpp"

namespace trueasync::php::pdo {

namespace {

detail::ControlBlock* running() noexcept { return engine::scheduler ? engine::scheduler->running() : nullptr; }

// The replacements of the driver's methods call the driver and record the result.
template <class Result, class Call>
Result call_driver(pdo_dbh_t* dbh, Result failure, Call&& call) {
  Connection& self = *Connection::of(dbh);
  if (!self.enter()) return failure;
  const Result result = call(self);
  if (result == failure && (has_error(dbh->error_code) || !self.client().is_idle())) self.record_failure(nullptr);
  self.leave();
  return result;
}

bool prepare(pdo_dbh_t* dbh, zend_string* sql, pdo_stmt_t* statement, zval* options) {
  return call_driver(dbh, false, [&](auto& self) { return prepare_statement(self, sql, statement, options); });
}

zend_long run(pdo_dbh_t* dbh, const zend_string* sql) {
  const SqlAnalysis analysis = Connection::of(dbh)->analyze(sql);
  if (!Connection::of(dbh)->check_session_query(analysis.query)) return -1;
  return call_driver(dbh, zend_long{-1}, [&](auto& self) {
    self.record_effect(analysis.effect);
    const zend_long result = self.driver().doer(dbh, sql);
    if (result >= 0) self.record_success(analysis.effect);
    return result;
  });
}

template <auto Method>
bool call_transaction_method(pdo_dbh_t* dbh) {
  return call_driver(dbh, false, [&](auto& self) { return (self.driver().*Method)(dbh); });
}

zend_string* last_id(pdo_dbh_t* dbh, const zend_string* name) {
  return call_driver(dbh, static_cast<zend_string*>(nullptr),
                     [&](auto& self) { return self.driver().last_id(dbh, name); });
}

bool set_attribute(pdo_dbh_t* dbh, zend_long attribute, zval* value) {
  return call_driver(dbh, false, [&](auto& self) { return self.driver().set_attribute(dbh, attribute, value); });
}

int get_attribute(pdo_dbh_t* dbh, zend_long attribute, zval* value) {
  return call_driver(dbh, -1, [&](auto& self) { return self.driver().get_attribute(dbh, attribute, value); });
}

bool is_in_transaction(pdo_dbh_t* dbh) { return Connection::of(dbh)->client().is_in_transaction(); }

}  // namespace

Connection::Connection(zend_object* object, std::shared_ptr<ConnectionConfig> config)
    : methods_{*php_pdo_dbh_fetch_inner(object)->methods, this},
      driver_(php_pdo_dbh_fetch_inner(object)->methods),
      dbh_(php_pdo_dbh_fetch_inner(object)),
      object_(object),
      config_(std::move(config)),
      client_(config_->driver, *dbh_, *driver_) {
  methods_.closer = &close;
  methods_.preparer = &prepare;
  methods_.doer = &run;
  methods_.begin = &call_transaction_method<&pdo_dbh_methods::begin>;
  methods_.commit = &call_transaction_method<&pdo_dbh_methods::commit>;
  methods_.rollback = &call_transaction_method<&pdo_dbh_methods::rollback>;
  if (driver_->last_id) methods_.last_id = &last_id;
  if (driver_->set_attribute) methods_.set_attribute = &set_attribute;
  if (driver_->get_attribute) methods_.get_attribute = &get_attribute;
  methods_.in_transaction = &is_in_transaction;
  cache.set_max_size(config_->cache_size);
}

Connection& Connection::install(zend_object* object, std::shared_ptr<ConnectionConfig> config) {
  auto* connection = new Connection(object, std::move(config));
  connection->dbh_->methods = &connection->methods_;
  return *connection;
}

Connection* Connection::of(const pdo_dbh_t* dbh) noexcept {
  if (!dbh->methods || dbh->methods->closer != &close) return nullptr;
  return static_cast<const Methods*>(dbh->methods)->connection;
}

void Connection::close(pdo_dbh_t* dbh) {
  Connection* self = of(dbh);
  dbh->methods = self->driver_;
  for (const DriverStatement& statement : self->deferred_statements_) {
    StatementCache::destroy(statement, *dbh, nullptr);
  }
  self->cache.clear(*dbh);
  self->driver_->closer(dbh);
  // At request end the engine frees objects in any order, and the pool may be freed already: abandon the lease.
  if (self->lease) (void)new Lease<Value>(std::move(self->lease));
  delete self;
}

void Connection::attach_lease(ConnectionBinding& new_binding, Lease<Value> new_lease) noexcept {
  binding = &new_binding;
  lease = std::move(new_lease);
  GC_ADDREF(object_);  // the binding's reference, which the collector does not see
  session_modified = has_written = has_inserted = has_found_rows = has_executed = false;
  clear_errors();
}

void Connection::clear_errors() noexcept {
  set_error(dbh_->error_code, "00000");
  if (!dbh_->query_stmt) return;
  dbh_->query_stmt = nullptr;
  zval failed_query;
  ZVAL_COPY_VALUE(&failed_query, &dbh_->query_stmt_zval);
  ZVAL_UNDEF(&dbh_->query_stmt_zval);
  ++calls;  // on_statement_freed() must not release the connection
  zval_ptr_dtor(&failed_query);
  --calls;
}

SqlAnalysis Connection::analyze(const zend_string* sql) const noexcept {
  return analyze_sql({ZSTR_VAL(sql), ZSTR_LEN(sql)}, config_->driver);
}

// The values that a statement of another coroutine left in the session are wrong answers.
bool Connection::check_session_query(SessionQuery query) noexcept {
  const bool can_answer = query == SessionQuery::none || session_modified ||
                          (query == SessionQuery::last_statement && has_executed) ||
                          (query == SessionQuery::last_write && has_written) || has_inserted;
  if (can_answer) return true;
  throw_pdo_exception(
      "Cannot query the result of an earlier statement: its connection was returned to the pool; use lastInsertId() or "
      "rowCount(), or run both statements in a transaction");
  return false;
}

void Connection::record_effect(SqlEffect effect) noexcept {
  has_executed = true;
  has_found_rows = has_found_rows || effect == SqlEffect::sets_found_rows;
  session_modified = session_modified || effect == SqlEffect::modifies_session;
  has_written = has_written || effect == SqlEffect::writes || effect == SqlEffect::inserts;
}

// In MySQL, an INSERT into a table without AUTO_INCREMENT does not set the last insert id.
void Connection::record_success(SqlEffect effect) noexcept {
  if (effect != SqlEffect::inserts || has_inserted) return;
  has_inserted = true;
  if (config_->driver != Driver::mysql) return;
  zend_string* id = driver_->last_id(dbh_, nullptr);
  has_inserted = id && !zend_string_equals_literal(id, "0");
  if (id) zend_string_release(id);
}

void Connection::record_failure(pdo_stmt_t* statement) noexcept { is_broken = is_broken || client_.is_lost(statement); }

bool Connection::try_enter() noexcept {
  if (depth_ > 0 && user_ != running()) return false;
  if (depth_++ > 0) return true;
  user_ = running();
  saved_exception_ = std::exchange(EG(exception), nullptr);
  return true;
}

bool Connection::enter() noexcept {
  if (try_enter()) return true;
  throw_exception(exceptions.async, "Cannot use the statement: coroutine " + detail::coroutine_label(*user_) +
                                        " uses its connection; prepare the statement in this coroutine");
  return false;
}

// SQLite calls PHP functions, other drivers do not. An exception from another driver means that a wait was interrupted.
// The client library got ECANCELED and may consider itself idle, but the server's response is still in flight.
void Connection::leave() noexcept {
  while (depth_ == 1 && !deferred_statements_.empty()) {
    const DriverStatement statement = deferred_statements_.back();
    deferred_statements_.pop_back();
    StatementCache::destroy(statement, *dbh_, object_);
  }
  if (--depth_ > 0) return;
  if (EG(exception) && config_->driver != Driver::sqlite) is_broken = true;
  if (!saved_exception_) return;
  if (zend_object* later_exception = take_exception()) OBJ_RELEASE(later_exception);
  EG(exception) = std::exchange(saved_exception_, nullptr);
}

void Connection::on_statement_freed() noexcept {
  --statements;
  if (statements > 0 || calls > 0 || depth_ > 0) return;
  if (binding) {
    binding->release_if_free();
  } else if (lease) {
    release_lease_if_free();
  }
}

// Rows of a statement may still be fetched after its coroutine has finished. The transaction ends with the coroutine.
void Connection::release_lease_if_free() noexcept {
  if (!lease || calls > 0) return;
  if (statements > 0 && !is_broken && engine::scheduler && client_.is_in_transaction() && try_enter()) {
    driver_->rollback(dbh_);
    dbh_->in_txn = false;
    leave();
  }
  if (statements > 0 && !is_broken) return;
  // Without a lease, a nested call of this function during the reset returns immediately.
  Lease<Value> released = std::move(lease);
  released.mark(is_broken ? ResourceState::broken : ResourceState::dirty);
  zend_object* in_flight = std::exchange(EG(exception), nullptr);
  catch_to_php_with_bailout([&] { released.release(); });
  if (!in_flight) return;
  if (zend_object* later_exception = take_exception()) OBJ_RELEASE(later_exception);
  EG(exception) = in_flight;
}

bool Connection::restore_session() noexcept {
  cache.clear(*dbh_);
  if (config_->driver == Driver::pgsql) {
    zend_string* sql = zend_string_init(ZEND_STRL("DISCARD ALL"), false);
    const bool succeeded = driver_->doer(dbh_, sql) >= 0;
    zend_string_release(sql);
    return succeeded;
  }
  if (!client_.reset_session()) return false;
  std::vector<std::string> commands;
  const std::string name = client_.database();
  if (std::strchr(name.c_str(), '`')) return false;
  if (!name.empty()) commands.push_back("USE `" + name + "`");
  if (!dbh_->auto_commit) commands.emplace_back("SET autocommit=0");
  constexpr zend_long kMysqlInitCommand = PDO_ATTR_DRIVER_SPECIFIC + 2;
  const zval* init_command = zend_hash_index_find(Z_ARRVAL_P(config_->options.get()), kMysqlInitCommand);
  if (init_command && Z_TYPE_P(init_command) == IS_STRING) {
    commands.emplace_back(Z_STRVAL_P(init_command), Z_STRLEN_P(init_command));
  }
  for (const std::string& command : commands) {
    zend_string* sql = zend_string_init(command.data(), command.size(), false);
    const bool succeeded = driver_->doer(dbh_, sql) >= 0;
    zend_string_release(sql);
    if (!succeeded) return false;
  }
  return true;
}

ResourceState Connection::reset() noexcept {
  clear_errors();
  const bool is_in_use = statements > 0 || calls > 0 || depth_ > 0;
  if (is_broken || is_in_use || !engine::scheduler || !client_.is_idle()) return ResourceState::broken;
  try_enter();
  bool is_clean = !client_.is_in_transaction() || (driver_->rollback(dbh_) && !client_.is_in_transaction());
  dbh_->in_txn = false;
  if (is_clean && std::exchange(session_modified, false)) is_clean = restore_session();
  has_written = has_inserted = has_found_rows = has_executed = false;
  set_error(dbh_->error_code, "00000");
  leave();
  return is_clean && !is_broken && client_.is_idle() ? ResourceState::clean : ResourceState::broken;
}

}  // namespace trueasync::php::pdo
