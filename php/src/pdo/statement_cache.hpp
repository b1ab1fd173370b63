// StatementCache: the unused prepared statements of one connection by their text, evicted in LRU order. It stores the
// driver's part of a statement, not the PHP object. It also tracks the statements that are in use.
//
// Ownership: the stored parts.
// Thread safety: the engine's thread only.
// Errors: no exceptions.
#pragma once

#include <list>
#include <string_view>
#include <unordered_map>

#include "pdo/pdo.hpp"

namespace trueasync::php::pdo {

// The driver's part of a statement, and what PDO derived from its text.
struct DriverStatement {
  const pdo_stmt_methods* methods = nullptr;
  void* data = nullptr;
  unsigned placeholders = 0;
  const char* rewrite_template = nullptr;
  bool has_map = false;         // PDO has a map of its parameter names
  zend_string* text = nullptr;  // owned
  std::uint64_t bound = 0;      // bit set of the parameters of its last run; only the same set may reuse it
};

// A statement in use.
struct LiveStatement {
  std::uint64_t bound = 0;  // as in DriverStatement
  bool has_map = false;
  bool is_reused = false;     // from the cache, and not executed since
  bool is_cacheable = false;  // no cursor, no emulated prepare
};

class StatementCache {
 public:
  StatementCache() = default;
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;

  void set_max_size(std::size_t max_size) noexcept { max_size_ = max_size; }
  bool is_enabled() const noexcept { return max_size_ > 0; }
  // Removes a statement with that text. Returns false if there is none.
  bool take(zend_string* text, DriverStatement& statement);
  // Takes ownership. Evicts the least recently used statement if the cache is full, and closes it on the server of
  // `connection`.
  void put(const DriverStatement& statement, zend_object* connection);
  // Frees all statements without a message to the server: its session ends or is reset.
  void clear(pdo_dbh_t& dbh) noexcept;
  // Statements in use, tracked while the cache is enabled.
  void track(const pdo_stmt_t* statement, const LiveStatement& live) { live_.emplace(statement, live); }
  LiveStatement* find(const pdo_stmt_t* statement) noexcept;
  // Returns false if the statement was not tracked.
  bool untrack(const pdo_stmt_t* statement, LiveStatement& live) noexcept;
  std::size_t size() const noexcept { return unused_.size(); }

  // Frees a statement through a temporary pdo_stmt_t. Without a connection the server is not notified.
  static void destroy(DriverStatement statement, pdo_dbh_t& dbh, zend_object* connection) noexcept;

 private:
  std::size_t max_size_ = 0;
  std::list<DriverStatement> unused_;  // most recently used first
  std::unordered_multimap<std::string_view, std::list<DriverStatement>::iterator> by_text_;
  std::unordered_map<const pdo_stmt_t*, LiveStatement> live_;
};

}  // namespace trueasync::php::pdo
