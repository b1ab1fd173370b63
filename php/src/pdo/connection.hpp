// Connection: what the pool knows about one of its PDO objects, and sees of what happens on it: the driver's methods are
// called through it.
//
// A connection is lent to one coroutine (its binding) and stays with it while a call runs on it, a transaction is open, a
// statement lives, or its session was touched. Statements reach it through their handle, so anything may go first (DB-10).
//
// Owns: the lease, while it is bound or a statement keeps it; the statement cache. Lifetime: the PDO object's. Threads: the
// engine's. Errors: none is thrown.
#pragma once

#include "pdo/driver_client.hpp"
#include "pdo/sql_analysis.hpp"
#include "pdo/statement_cache.hpp"
#include "support/value.hpp"
#include "trueasync/pool_lease.hpp"

namespace trueasync::detail {
struct ControlBlock;
}

namespace trueasync::php::pdo {

class ConnectionBinding;
class ConnectionConfig;

class Connection {
 public:
  // Takes the methods of a PDO object that has just connected over.
  static Connection& install(zend_object* object, std::shared_ptr<ConnectionConfig> recipe);
  // Null: not one of ours.
  static Connection* of(const pdo_dbh_t* dbh) noexcept;
  static Connection* of(zend_object* object) noexcept { return of(php_pdo_dbh_fetch_inner(object)); }

  zend_object* object() const noexcept { return object_; }
  pdo_dbh_t& dbh() const noexcept { return *dbh_; }
  const pdo_dbh_methods& driver() const noexcept { return *driver_; }
  ConnectionConfig& recipe() const noexcept { return *recipe_; }
  const DriverClient& client() const noexcept { return client_; }

  // It was lent, with nothing of the last one's errors (DB-13).
  void attach_lease(ConnectionBinding& binding, Lease<Value> lease) noexcept;
  // Nobody's coroutine has it any more. It goes back as soon as nothing keeps it; `this` may be gone then.
  void release_lease_if_free() noexcept;
  // Nothing keeps it. A query that failed is kept by PDO for its error, and counts for nothing.
  bool is_free() const noexcept {
    return statements == (dbh_->query_stmt ? 1u : 0u) && calls == 0 && !session_modified &&
           !client_.is_in_transaction();
  }
  // Makes it as good as new, or says that it can't be. May wait.
  ResourceState reset() noexcept;
  // After a call that failed.
  void note_failure(pdo_stmt_t* statement) noexcept;
  SqlAnalysis analyze(const zend_string* sql) const noexcept;
  // Whether this coroutine has run here what a statement asks about. False: EG(exception) is set.
  bool can_answer(SessionQuery question) noexcept;
  void record_effect(SqlEffect effect) noexcept;
  void note_success(SqlEffect effect) noexcept;
  void forget_errors() noexcept;
  // A statement is there, or gone, and perhaps the last thing that kept the connection.
  void statement_made() noexcept { ++statements; }
  void statement_gone() noexcept;
  // False: another coroutine is at it, and EG(exception) says so.
  bool enter() noexcept;
  // The same without a word.
  bool enter_alone() noexcept;
  void leave() noexcept;
  // For when the one who is at it has left.
  void defer_free(const DriverStatement& part) { deferred_statements_.push_back(part); }

  ConnectionBinding* binding = nullptr;
  Lease<Value> lease;
  StatementCache cache;
  std::uint32_t statements = 0;
  std::uint32_t calls = 0;               // PDO methods that run on it
  std::uint64_t attributes = 0;          // the version of the recipe's that it has
  std::size_t driver_calls = 0;          // how many of the recipe's it has had
  bool has_deferred_attributes = false;  // it lacks attributes that have to wait for the end of its transaction
  bool session_modified = false;
  bool has_written = false;
  bool has_inserted = false;  // and an id is known
  bool has_counted = false;   // FOUND_ROWS() may be asked for
  bool has_run = false;       // anything, since it was lent
  bool is_broken = false;

 private:
  Connection(zend_object* object, std::shared_ptr<ConnectionConfig> recipe);
  ~Connection() = default;
  static void close(pdo_dbh_t* dbh);
  bool restore_session() noexcept;

  // The handle points there.
  struct Methods : pdo_dbh_methods {
    Connection* connection;
  };
  Methods methods_;
  const pdo_dbh_methods* driver_;
  pdo_dbh_t* dbh_;
  zend_object* object_;
  std::shared_ptr<ConnectionConfig> recipe_;
  DriverClient client_;
  detail::ControlBlock* user_ = nullptr;  // who is inside the driver
  std::uint32_t depth_ = 0;
  zend_object* parked_ = nullptr;                     // what was in flight when it went in
  std::vector<DriverStatement> deferred_statements_;  // statements that went while it was busy
};

}  // namespace trueasync::php::pdo
