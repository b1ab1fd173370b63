// What a statement may leave behind in its session, and what it asks of it, judged by its text alone: a look, not a parser.
// When in doubt it touches; that costs a reset and is never wrong.
//
// Threads: any. Errors: none.
#pragma once

#include <cstdint>
#include <string_view>

#include "pdo/driver.hpp"

namespace trueasync::php::pdo {

enum class SqlEffect : std::uint8_t {
  reads,             // nothing is left
  sets_found_rows,   // nothing but what FOUND_ROWS() says
  writes,            // rows: the session knows how many there were
  inserts,           // and the last id
  modifies_session,  // variables, locks, temporary tables, a procedure: nobody else may find the session like that
};

// What only the connection of an earlier statement can answer.
enum class SessionQuery : std::uint8_t {
  none,
  last_statement,  // ROW_COUNT(), SHOW WARNINGS
  last_write,      // changes()
  last_insert,     // LAST_INSERT_ID(), lastval()
};

struct SqlAnalysis {
  SqlEffect effect = SqlEffect::reads;
  SessionQuery question = SessionQuery::none;
};

SqlAnalysis analyze_sql(std::string_view sql, Driver driver) noexcept;

}  // namespace trueasync::php::pdo
