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

// Our versions of the driver's methods: nothing but a look at what goes by.
template <class Result, class Call>
Result call_driver(pdo_dbh_t* dbh, Result failure, Call&& call) {
  Connection& self = *Connection::of(dbh);
  if (!self.enter()) return failure;
  const Result result = call(self);
  if (result == failure && (has_error(dbh->error_code) || !self.client().is_idle())) self.note_failure(nullptr);
  self.leave();
  return result;
}

bool prepare(pdo_dbh_t* dbh, zend_string* sql, pdo_stmt_t* statement, zval* options) {
  return call_driver(dbh, false, [&](auto& self) { return prepare_statement(self, sql, statement, options); });
}

zend_long run(pdo_dbh_t* dbh, const zend_string* sql) {
  const SqlAnalysis look = Connection::of(dbh)->analyze(sql);
  if (!Connection::of(dbh)->can_answer(look.question)) return -1;
  return call_driver(dbh, zend_long{-1}, [&](auto& self) {
    self.record_effect(look.effect);
    const zend_long result = self.driver().doer(dbh, sql);
    if (result >= 0) self.note_success(look.effect);
    return result;
  });
}

template <auto Method>
bool in_transaction_call(pdo_dbh_t* dbh) {
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

Connection::Connection(zend_object* object, std::shared_ptr<ConnectionConfig> recipe)
    : methods_{*php_pdo_dbh_fetch_inner(object)->methods, this},
      driver_(php_pdo_dbh_fetch_inner(object)->methods),
      dbh_(php_pdo_dbh_fetch_inner(object)),
      object_(object),
      recipe_(std::move(recipe)),
      client_(recipe_->driver, *dbh_, *driver_) {
  methods_.closer = &close;
  methods_.preparer = &prepare;
  methods_.doer = &run;
  methods_.begin = &in_transaction_call<&pdo_dbh_methods::begin>;
  methods_.commit = &in_transaction_call<&pdo_dbh_methods::commit>;
  methods_.rollback = &in_transaction_call<&pdo_dbh_methods::rollback>;
  if (driver_->last_id) methods_.last_id = &last_id;
  if (driver_->set_attribute) methods_.set_attribute = &set_attribute;
  if (driver_->get_attribute) methods_.get_attribute = &get_attribute;
  methods_.in_transaction = &is_in_transaction;
  cache.set_limit(recipe_->cache_size);
}

Connection& Connection::install(zend_object* object, std::shared_ptr<ConnectionConfig> recipe) {
  auto* connection = new Connection(object, std::move(recipe));
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
  for (const DriverStatement& part : self->deferred_statements_) StatementCache::destroy(part, *dbh, nullptr);
  self->cache.clear(*dbh);
  self->driver_->closer(dbh);
  // The engine frees everything, in any order: the pool is no longer to be asked.
  if (self->lease) (void)new Lease<Value>(std::move(self->lease));
  delete self;
}

void Connection::attach_lease(ConnectionBinding& to, Lease<Value> with) noexcept {
  binding = &to;
  lease = std::move(with);
  GC_ADDREF(object_);  // the binding's: the collector knows nothing of it
  session_modified = has_written = has_inserted = has_counted = has_run = false;
  forget_errors();
}

void Connection::forget_errors() noexcept {
  set_error(dbh_->error_code, "00000");
  if (!dbh_->query_stmt) return;
  dbh_->query_stmt = nullptr;
  zval failed;
  ZVAL_COPY_VALUE(&failed, &dbh_->query_stmt_zval);
  ZVAL_UNDEF(&dbh_->query_stmt_zval);
  ++calls;
  zval_ptr_dtor(&failed);
  --calls;
}

SqlAnalysis Connection::analyze(const zend_string* sql) const noexcept {
  return analyze_sql({ZSTR_VAL(sql), ZSTR_LEN(sql)}, recipe_->driver);
}

// What another coroutine's statement left is no answer.
bool Connection::can_answer(SessionQuery question) noexcept {
  const bool can_it = question == SessionQuery::none || session_modified ||
                      (question == SessionQuery::last_statement && has_run) ||
                      (question == SessionQuery::last_write && has_written) || has_inserted;
  if (can_it) return true;
  raise_pdo(
      "The statement asks about an earlier one of this coroutine, whose connection has gone back to the pool: use "
      "lastInsertId() or rowCount(), or a transaction around both");
  return false;
}

void Connection::record_effect(SqlEffect effect) noexcept {
  has_run = true;
  has_counted = has_counted || effect == SqlEffect::sets_found_rows;
  session_modified = session_modified || effect == SqlEffect::modifies_session;
  has_written = has_written || effect == SqlEffect::writes || effect == SqlEffect::inserts;
}

// A table of MySQL's that counts nothing leaves the last id as it was, which may be another coroutine's.
void Connection::note_success(SqlEffect effect) noexcept {
  if (effect != SqlEffect::inserts || has_inserted) return;
  has_inserted = true;
  if (recipe_->driver != Driver::mysql) return;
  zend_string* id = driver_->last_id(dbh_, nullptr);
  has_inserted = id && !zend_string_equals_literal(id, "0");
  if (id) zend_string_release(id);
}

void Connection::note_failure(pdo_stmt_t* statement) noexcept { is_broken = is_broken || client_.is_lost(statement); }

bool Connection::enter_alone() noexcept {
  if (depth_ > 0 && user_ != running()) return false;
  if (depth_++ > 0) return true;
  user_ = running();
  parked_ = std::exchange(EG(exception), nullptr);
  return true;
}

bool Connection::enter() noexcept {
  if (enter_alone()) return true;
  throw_exception(exceptions.async, "The connection of this statement is at work for coroutine " +
                                        detail::coroutine_label(*user_) +
                                        ": a statement belongs to the coroutine that made it; prepare one here");
  return false;
}

// An exception out of a driver that calls nobody back is the end of a wait, ECANCELED to the client library: whatever that
// thinks of itself now, an answer is still on its way (DB-11).
void Connection::leave() noexcept {
  while (depth_ == 1 && !deferred_statements_.empty()) {
    const DriverStatement part = deferred_statements_.back();
    deferred_statements_.pop_back();
    StatementCache::destroy(part, *dbh_, object_);
  }
  if (--depth_ > 0) return;
  if (EG(exception) && recipe_->driver != Driver::sqlite) is_broken = true;
  if (!parked_) return;
  if (zend_object* later = take_exception()) OBJ_RELEASE(later);
  EG(exception) = std::exchange(parked_, nullptr);
}

void Connection::statement_gone() noexcept {
  --statements;
  if (statements > 0 || calls > 0 || depth_ > 0) return;
  if (binding) {
    binding->release_if_free();
  } else if (lease) {
    release_lease_if_free();
  }
}

// The coroutine is gone, a statement may still be read; what it has not committed is over (DB-08).
void Connection::release_lease_if_free() noexcept {
  if (!lease || calls > 0) return;
  if (statements > 0 && !is_broken && engine::scheduler && client_.is_in_transaction() && enter_alone()) {
    driver_->rollback(dbh_);
    dbh_->in_txn = false;
    leave();
  }
  if (statements > 0 && !is_broken) return;
  // From here on it is nobody's: whatever happens while it is cleaned, it does not come here again (DB-09).
  Lease<Value> going = std::move(lease);
  going.mark(is_broken ? ResourceState::broken : ResourceState::dirty);
  zend_object* in_flight = std::exchange(EG(exception), nullptr);
  catch_to_php_with_bailout([&] { going.release(); });
  if (!in_flight) return;
  if (zend_object* later = take_exception()) OBJ_RELEASE(later);
  EG(exception) = in_flight;
}

bool Connection::restore_session() noexcept {
  cache.clear(*dbh_);
  if (recipe_->driver == Driver::pgsql) {
    zend_string* sql = zend_string_init(ZEND_STRL("DISCARD ALL"), false);
    const bool is_done = driver_->doer(dbh_, sql) >= 0;
    zend_string_release(sql);
    return is_done;
  }
  if (!client_.reset_session()) return false;
  std::vector<std::string> commands;
  const std::string name = client_.database();
  if (std::strchr(name.c_str(), '`')) return false;
  if (!name.empty()) commands.push_back("USE `" + name + "`");
  if (!dbh_->auto_commit) commands.emplace_back("SET autocommit=0");
  constexpr zend_long kInitCommand = PDO_ATTR_DRIVER_SPECIFIC + 2;
  const zval* first = zend_hash_index_find(Z_ARRVAL_P(recipe_->options.get()), kInitCommand);
  if (first && Z_TYPE_P(first) == IS_STRING) commands.emplace_back(Z_STRVAL_P(first), Z_STRLEN_P(first));
  for (const std::string& command : commands) {
    zend_string* sql = zend_string_init(command.data(), command.size(), false);
    const bool is_done = driver_->doer(dbh_, sql) >= 0;
    zend_string_release(sql);
    if (!is_done) return false;
  }
  return true;
}

ResourceState Connection::reset() noexcept {
  forget_errors();
  const bool is_in_use = statements > 0 || calls > 0 || depth_ > 0;
  if (is_broken || is_in_use || !engine::scheduler || !client_.is_idle()) return ResourceState::broken;
  enter_alone();
  bool is_clean = !client_.is_in_transaction() || (driver_->rollback(dbh_) && !client_.is_in_transaction());
  dbh_->in_txn = false;
  if (is_clean && std::exchange(session_modified, false)) is_clean = restore_session();
  has_written = has_inserted = has_counted = has_run = false;
  set_error(dbh_->error_code, "00000");
  leave();
  return is_clean && !is_broken && client_.is_idle() ? ResourceState::clean : ResourceState::broken;
}

}  // namespace trueasync::php::pdo
