// Connection: the pool's record of one PDO object. It replaces the driver's methods in the handle, so every call of the
// driver passes through it.
//
// A lease gives the connection to one coroutine (see ConnectionBinding). The coroutine keeps it while a call runs on it,
// a transaction is open, a statement exists, or the session state was modified. Statements find their connection through
// the database handle. Statements, coroutine and pool may be destroyed in any order.
//
// Ownership: the lease, while a binding or a statement uses the connection; the statement cache.
// Lifetime: that of the PDO object.
// Thread safety: the engine's thread only.
// Errors: no C++ exceptions.
#pragma once

#include "pdo/driver_client.hpp"
#include "pdo/sql_analysis.hpp"
#include "pdo/statement_cache.hpp"
#include "support/value.hpp"
#include "trueasync/pool/pool.hpp"

namespace trueasync::detail {
struct ControlBlock;
}

namespace trueasync::php::pdo {

class ConnectionBinding;
class ConnectionConfig;

class Connection {
 public:
  // Replaces the driver's methods of a PDO object that has just connected.
  static Connection& install(zend_object* object, std::shared_ptr<ConnectionConfig> config);
  // Null if the handle does not belong to a pool.
  static Connection* of(const pdo_dbh_t* dbh) noexcept;
  static Connection* of(zend_object* object) noexcept { return of(php_pdo_dbh_fetch_inner(object)); }

  zend_object* object() const noexcept { return object_; }
  pdo_dbh_t& dbh() const noexcept { return *dbh_; }
  const pdo_dbh_methods& driver() const noexcept { return *driver_; }
  ConnectionConfig& config() const noexcept { return *config_; }
  const DriverClient& client() const noexcept { return client_; }

  // Starts the use by a coroutine and clears the errors of the previous one.
  void attach_lease(ConnectionBinding& binding, Lease<Value> lease) noexcept;
  // Releases a connection without a binding, unless a call or a statement still uses it. May destroy `this`.
  void release_lease_if_free() noexcept;
  // Whether nothing requires the coroutine to keep the connection. PDO keeps a failed query for its error; that
  // statement does not count.
  bool is_free() const noexcept {
    return statements == (dbh_->query_stmt ? 1u : 0u) && calls == 0 && !session_modified &&
           !client_.is_in_transaction();
  }
  // Rolls back and restores the session. Returns `broken` if that is not possible. May suspend.
  ResourceState reset() noexcept;
  // Call it after a call of the driver failed.
  void record_failure(pdo_stmt_t* statement) noexcept;
  SqlAnalysis analyze(const zend_string* sql) const noexcept;
  // Checks that this coroutine ran the statement that the query refers to on this connection. Returns false if
  // EG(exception) is set.
  bool check_session_query(SessionQuery query) noexcept;
  // Before and after a statement runs.
  void record_effect(SqlEffect effect) noexcept;
  void record_success(SqlEffect effect) noexcept;
  void clear_errors() noexcept;
  void on_statement_created() noexcept { ++statements; }
  // Releases the connection if the statement was the last thing that kept it.
  void on_statement_freed() noexcept;
  // Enters the driver; calls may nest in one coroutine. Saves EG(exception) until leave(). Returns false if another
  // coroutine is inside, and EG(exception) is set.
  bool enter() noexcept;
  // The same without an exception.
  bool try_enter() noexcept;
  void leave() noexcept;
  // Frees the statement when the coroutine that is inside the driver leaves.
  void defer_free(const DriverStatement& statement) { deferred_statements_.push_back(statement); }

  ConnectionBinding* binding = nullptr;
  Lease<Value> lease;
  StatementCache cache;
  std::uint32_t statements = 0;          // statements that exist
  std::uint32_t calls = 0;               // PDO methods that run on it
  std::uint64_t settings_version = 0;    // the version of the config's settings that it has
  std::size_t applied_driver_calls = 0;  // the number of the config's driver calls that ran on it
  bool has_deferred_attributes = false;  // attributes that must be set after the end of the transaction
  bool session_modified = false;
  // Since the lease was attached:
  bool has_written = false;
  bool has_inserted = false;    // and the driver knows the id
  bool has_found_rows = false;  // FOUND_ROWS() has a value
  bool has_executed = false;    // any statement
  bool is_broken = false;

 private:
  Connection(zend_object* object, std::shared_ptr<ConnectionConfig> config);
  ~Connection() = default;
  static void close(pdo_dbh_t* dbh);
  bool restore_session() noexcept;

  // The handle's `methods` points here.
  struct Methods : pdo_dbh_methods {
    Connection* connection;
  };
  Methods methods_;
  const pdo_dbh_methods* driver_;
  pdo_dbh_t* dbh_;
  zend_object* object_;
  std::shared_ptr<ConnectionConfig> config_;
  DriverClient client_;
  detail::ControlBlock* user_ = nullptr;  // the coroutine inside the driver
  std::uint32_t depth_ = 0;
  zend_object* saved_exception_ = nullptr;            // EG(exception) at the outermost enter()
  std::vector<DriverStatement> deferred_statements_;  // destroyed while another coroutine was inside the driver
};

}  // namespace trueasync::php::pdo
