// StatementCache: prepared statements of one connection that nobody uses, by their text; the one that was not used longest
// goes first. What is kept is the driver's part of a statement, not the PHP object.
//
// Owns: the parts. Threads: the engine's. Errors: none is thrown.
#pragma once

#include <list>
#include <string_view>
#include <unordered_map>

#include "pdo/pdo.hpp"

namespace trueasync::php::pdo {

// The driver's part of a statement, and what PDO had derived from its text.
struct DriverStatement {
  const pdo_stmt_methods* methods = nullptr;
  void* data = nullptr;
  unsigned placeholders = 0;
  const char* rewrite_template = nullptr;
  bool has_map = false;         // of its parameters' names
  zend_string* text = nullptr;  // owned
  std::uint64_t bound = 0;      // which parameters it was last run with: only the same ones may reuse it
};

// What is known of a statement in somebody's hands.
struct LiveStatement {
  std::uint64_t bound = 0;  // as in DriverStatement
  bool has_map = false;
  bool is_reused = false;     // and has not been run since
  bool is_cacheable = false;  // no cursor, nothing emulated
};

class StatementCache {
 public:
  StatementCache() = default;
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;

  void set_limit(std::size_t limit) noexcept { limit_ = limit; }
  bool is_on() const noexcept { return limit_ > 0; }
  // False: there is none with that text.
  bool take(zend_string* text, DriverStatement& part);
  // Takes it over; something else may have to go for it, which the server of `connection` is told.
  void keep(const DriverStatement& part, zend_object* connection);
  // Frees all, and tells no server: its session ends, or begins anew.
  void clear(pdo_dbh_t& dbh) noexcept;
  // Those in use, while the cache is on.
  void remember(const pdo_stmt_t* statement, const LiveStatement& live) { live_.emplace(statement, live); }
  LiveStatement* find(const pdo_stmt_t* statement) noexcept;
  bool forget(const pdo_stmt_t* statement, LiveStatement& live) noexcept;
  std::size_t size() const noexcept { return parts_.size(); }

  // Frees one, by way of a statement made up for it. Without a connection the server is not told.
  static void destroy(DriverStatement part, pdo_dbh_t& dbh, zend_object* connection) noexcept;

 private:
  std::size_t limit_ = 0;
  std::list<DriverStatement> parts_;  // the last used first
  std::unordered_multimap<std::string_view, std::list<DriverStatement>::iterator> by_text_;
  std::unordered_map<const pdo_stmt_t*, LiveStatement> live_;
};

}  // namespace trueasync::php::pdo
