// analyze_sql(): how a statement changes its session, and which earlier statement of the session it refers to. It scans
// the text and does not parse it. In doubt the result is modifies_session, which costs a reset but is never wrong.
//
// Thread safety: any thread.
// Errors: none.
#pragma once

#include <cstdint>
#include <string_view>

#include "pdo/driver.hpp"

namespace trueasync::php::pdo {

// In ascending order: the effect of several statements is the greatest.
enum class SqlEffect : std::uint8_t {
  reads,             // the session is unchanged
  sets_found_rows,   // changes only the value of FOUND_ROWS()
  writes,            // changes the row count
  inserts,           // changes the row count and the last insert id
  modifies_session,  // variables, locks, temporary tables, procedures: another coroutine must not see them
};

// A query that only the connection of an earlier statement can answer.
enum class SessionQuery : std::uint8_t {
  none,
  last_statement,  // ROW_COUNT(), SHOW WARNINGS
  last_write,      // changes()
  last_insert,     // LAST_INSERT_ID(), lastval()
};

struct SqlAnalysis {
  SqlEffect effect = SqlEffect::reads;
  SessionQuery query = SessionQuery::none;
};

SqlAnalysis analyze_sql(std::string_view sql, Driver driver) noexcept;

}  // namespace trueasync::php::pdo
