// The drivers that can be pooled.
#pragma once

#include <cstdint>
#include <string_view>

namespace trueasync::php::pdo {

enum class Driver : std::uint8_t { none, pgsql, mysql, sqlite };

inline Driver driver_of(std::string_view name) noexcept {
  if (name == "pgsql") return Driver::pgsql;
  if (name == "mysql") return Driver::mysql;
  if (name == "sqlite") return Driver::sqlite;
  return Driver::none;
}

}  // namespace trueasync::php::pdo
