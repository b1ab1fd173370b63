// What a statement may leave behind in its session, judged by its text alone: a look, not a parser. When in doubt it
// touches; that costs a reset and is never wrong.
//
// Threads: any. Errors: none.
#pragma once

#include <cstdint>
#include <string_view>

#include "pdo/driver.hpp"

namespace trueasync::php::pdo {

enum class SqlEffect : std::uint8_t {
  reads,    // nothing is left
  writes,   // rows: the session knows the last id, and how many there were
  touches,  // variables, locks, temporary tables, a procedure: nobody else may find the session like that
};

SqlEffect effect_of(std::string_view sql, Driver driver) noexcept;

}  // namespace trueasync::php::pdo
