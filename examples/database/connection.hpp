// The database interface of the examples: SQLite, which needs no server, or PostgreSQL.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

namespace database {

class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  // The first column of the first row. Suspends the coroutine, not the thread. Throws std::runtime_error.
  virtual std::string value(const std::string& sql) = 0;
  // Whether the connection can be reused; needs no round trip.
  virtual bool is_usable() noexcept = 0;
};

}  // namespace database
