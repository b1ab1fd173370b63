// A database connection as the examples use it: SQLite, which needs no server, or PostgreSQL when one is given.
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

  // The first column of the first row. Suspends the coroutine, never the thread. Throws std::runtime_error.
  virtual std::string value(const std::string& sql) = 0;
  // Costs no round trip.
  virtual bool is_good() noexcept = 0;
};

}  // namespace database
