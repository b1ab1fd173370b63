#include "pdo/statement.hpp"

#include <dlfcn.h>

#include <array>

#include "engine/runtime.hpp"

namespace trueasync::php::pdo {

namespace {

// A copy of a driver's method table with hooks, and the original.
struct MethodTable {
  pdo_stmt_methods hooked;  // first: statements point here
  const pdo_stmt_methods* driver;
};

const pdo_stmt_methods& driver_of(const pdo_stmt_t* statement) noexcept {
  return *reinterpret_cast<const MethodTable*>(statement->methods)->driver;
}

Connection& connection_of(const pdo_stmt_t* statement) noexcept { return *Connection::of(statement->dbh); }

// A statement with more parameters is never reused.
constexpr unsigned kMaxTrackedParameters = 64;
constexpr std::uint64_t kUnknownParameters = ~std::uint64_t{0};

// A bit set of the bound parameters.
std::uint64_t bound_parameters(const pdo_stmt_t* statement) noexcept {
  if (!statement->bound_params) return 0;
  std::uint64_t bound = 0;
  void* item;
  ZEND_HASH_FOREACH_PTR(statement->bound_params, item) {
    const auto* parameter = static_cast<pdo_bound_param_data*>(item);
    if (parameter->paramno < 0 || parameter->paramno >= kMaxTrackedParameters - 1) return kUnknownParameters;
    bound |= std::uint64_t{1} << parameter->paramno;
  }
  ZEND_HASH_FOREACH_END();
  return bound;
}

const pdo_stmt_methods* with_hooks(const pdo_stmt_methods* driver) noexcept;

void drop_parameter_map(pdo_stmt_t* statement) noexcept {
  if (!statement->bound_param_map) return;
  zend_hash_destroy(statement->bound_param_map);
  FREE_HASHTABLE(statement->bound_param_map);
  statement->bound_param_map = nullptr;
}

// Prepares the statement again and repeats the driver's events for the bound parameters.
bool reprepare(Connection& connection, pdo_stmt_t* statement) noexcept {
  const pdo_stmt_methods& old = driver_of(statement);
  old.dtor(statement);
  statement->driver_data = nullptr;
  drop_parameter_map(statement);
  const bool is_prepared = connection.driver().preparer(&connection.dbh(), statement->query_string, statement, nullptr);
  statement->methods = with_hooks(is_prepared ? statement->methods : &old);
  if (!is_prepared) return false;
  if (!statement->bound_params || !driver_of(statement).param_hook) return true;
  void* item;
  ZEND_HASH_FOREACH_PTR(statement->bound_params, item) {
    auto* parameter = static_cast<pdo_bound_param_data*>(item);
    for (const pdo_param_event event : {PDO_PARAM_EVT_ALLOC, PDO_PARAM_EVT_EXEC_PRE}) {
      if (!driver_of(statement).param_hook(statement, parameter, event)) return false;
    }
  }
  ZEND_HASH_FOREACH_END();
  return true;
}

// Whether the server no longer knows the statement, or its plan does not match the changed table.
bool is_stale(const Connection& connection, pdo_stmt_t* statement) noexcept {
  if (connection.client().is_in_transaction()) return false;  // a failed transaction accepts no commands
  const std::string_view code = statement->error_code;
  if (code == "0A000" || code == "26000") return true;
  const zend_long number = connection.client().native_error(statement);
  return number == 1243 || number == 1615 || number == 2057;
}

int execute(pdo_stmt_t* statement) {
  Connection& connection = connection_of(statement);
  const SqlAnalysis analysis = connection.analyze(statement->query_string);
  if (!statement->driver_data || !connection.check_session_query(analysis.query) || !connection.enter()) return 0;
  connection.record_effect(analysis.effect);
  LiveStatement* live = connection.cache.find(statement);
  const std::uint64_t bound = live ? bound_parameters(statement) : 0;
  bool is_ready = true;
  if (live && live->is_reused && live->bound != bound) is_ready = reprepare(connection, statement);
  int result = is_ready ? driver_of(statement).executer(statement) : 0;
  if (!result && is_ready && live && !EG(exception) && is_stale(connection, statement)) {
    set_error(statement->error_code, "00000");
    result = reprepare(connection, statement) ? driver_of(statement).executer(statement) : 0;
  }
  if (live) {
    live->is_reused = false;
    live->bound = result ? bound : kUnknownParameters;
  }
  if (result) connection.record_success(analysis.effect);
  if (!result) connection.record_failure(statement);
  connection.leave();
  return result;
}

// For the driver's methods that may send commands to the server.
template <class Call>
int call_driver(pdo_stmt_t* statement, Call&& call) {
  Connection& connection = connection_of(statement);
  if (!statement->driver_data || !connection.enter()) return 0;
  const int result = call(driver_of(statement));
  if (!result && has_error(statement->error_code)) connection.record_failure(statement);
  connection.leave();
  return result;
}

int fetch(pdo_stmt_t* statement, pdo_fetch_orientation orientation, zend_long offset) {
  return call_driver(statement, [&](auto& driver) { return driver.fetcher(statement, orientation, offset); });
}

int next_rowset(pdo_stmt_t* statement) {
  return call_driver(statement, [&](auto& driver) { return driver.next_rowset(statement); });
}

int close_cursor(pdo_stmt_t* statement) {
  return call_driver(statement, [&](auto& driver) { return driver.cursor_closer(statement); });
}

// At request end, connections may be freed before their statements.
bool has_live_connection(const pdo_stmt_t* statement) noexcept {
  if (Z_ISUNDEF(statement->database_object_handle)) return true;  // a failed query: PDO stores it in the handle
  zend_object* object = Z_OBJ(statement->database_object_handle);
  return IS_OBJ_VALID(EG(objects_store).object_buckets[object->handle]) && !(OBJ_FLAGS(object) & IS_OBJ_FREE_CALLED);
}

bool can_be_reused(Connection& connection, pdo_stmt_t* statement, const LiveStatement& live) noexcept {
  const bool is_valid =
      live.is_cacheable && (live.is_reused || live.bound != kUnknownParameters) && !connection.is_broken;
  if (!is_valid || !connection.client().is_idle()) return false;
  const auto close = driver_of(statement).cursor_closer;
  return !close || close(statement) || connection.client().is_idle();
}

int destroy(pdo_stmt_t* statement) {
  const pdo_stmt_methods* driver = &driver_of(statement);
  if (!has_live_connection(statement)) return statement->driver_data ? driver->dtor(statement) : 1;
  Connection& connection = connection_of(statement);
  LiveStatement live;
  const bool is_tracked = connection.cache.untrack(statement, live);
  if (statement->driver_data) {
    const DriverStatement part{driver,
                               statement->driver_data,
                               statement->supports_placeholders,
                               statement->named_rewrite_template,
                               live.has_map,
                               statement->query_string,
                               live.bound};
    if (!connection.try_enter()) {
      connection.defer_free(part);
      zend_string_addref(part.text);
    } else {
      if (is_tracked && can_be_reused(connection, statement, live)) {
        zend_string_addref(part.text);
        connection.cache.put(part, connection.object());
      } else {
        driver->dtor(statement);
      }
      connection.leave();
    }
  }
  statement->driver_data = nullptr;
  connection.on_statement_freed();
  return 1;
}

const pdo_stmt_methods* with_hooks(const pdo_stmt_methods* driver) noexcept {
  static TRUEASYNC_PHP_LOCAL std::array<MethodTable, 4> tables{};  // a driver has one or two tables
  for (MethodTable& table : tables) {
    if (table.driver == driver || &table.hooked == driver) return &table.hooked;
    if (table.driver) continue;
    table.driver = driver;
    table.hooked = *driver;
    table.hooked.dtor = &destroy;
    table.hooked.executer = &execute;
    table.hooked.fetcher = &fetch;
    if (driver->next_rowset) table.hooked.next_rowset = &next_rowset;
    if (driver->cursor_closer) table.hooked.cursor_closer = &close_cursor;
    return &table.hooked;
  }
  return driver;
}

// PDO must parse the text again for its map of parameter names. The driver still knows the positions.
void restore_from_cache(pdo_stmt_t* statement, const DriverStatement& part) noexcept {
  statement->methods = part.methods;
  statement->driver_data = part.data;
  statement->supports_placeholders = part.placeholders;
  statement->named_rewrite_template = part.rewrite_template;
  if (!part.has_map) return;
  static auto* parse = reinterpret_cast<decltype(&pdo_parse_params)>(dlsym(RTLD_DEFAULT, "pdo_parse_params"));
  zend_string* rewritten = nullptr;
  parse(statement, statement->query_string, &rewritten);
  if (rewritten) zend_string_release(rewritten);
}

}  // namespace

bool prepare_statement(Connection& connection, zend_string* text, pdo_stmt_t* statement, zval* options) {
  const bool has_options = options && zend_hash_num_elements(Z_ARRVAL_P(options)) > 0;
  LiveStatement live;
  live.is_cacheable = connection.cache.is_enabled() && !has_options;
  DriverStatement part;
  if (live.is_cacheable && connection.cache.take(text, part)) {
    restore_from_cache(statement, part);
    zend_string_release(part.text);
    live.bound = part.bound;
    live.has_map = part.has_map;
    live.is_reused = true;
  } else if (connection.driver().preparer(&connection.dbh(), text, statement, options)) {
    live.bound = kUnknownParameters;
    live.has_map = statement->bound_param_map != nullptr;
    live.is_cacheable = live.is_cacheable && statement->supports_placeholders != PDO_PLACEHOLDER_NONE;
  } else {
    return false;
  }
  const pdo_stmt_methods* hooked = with_hooks(statement->methods);
  if (hooked == statement->methods) return true;  // all tables are in use: no hooks
  statement->methods = hooked;
  if (connection.cache.is_enabled()) connection.cache.track(statement, live);
  connection.on_statement_created();
  return true;
}

}  // namespace trueasync::php::pdo
