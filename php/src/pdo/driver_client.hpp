// DriverClient: the state of a connection that the driver's client library knows without asking the server.
//
// A driver's data begins with the handle of its client library. The library's functions are looked up at run time. If
// they are missing, PDO's own state is used.
//
// Thread safety: the engine's thread only.
// Errors: none.
#pragma once

#include "pdo/driver.hpp"
#include "pdo/pdo.hpp"

namespace trueasync::php::pdo {

class DriverClient {
 public:
  DriverClient() noexcept = default;
  DriverClient(Driver driver, pdo_dbh_t& dbh, const pdo_dbh_methods& methods) noexcept;

  // The transaction state of the server, also for a transaction that an SQL statement started.
  bool is_in_transaction() const noexcept;
  // Whether no command is in flight and no connection loss is known.
  bool is_idle() const noexcept;
  // Whether the client is idle and its socket has no unread data. Unread data on an idle connection means that the
  // server closes it. Costs one poll() that does not block.
  bool has_no_unread_data() const noexcept;
  // Whether the last error, judged by its code, means that the connection is lost.
  bool is_lost(pdo_stmt_t* statement) const noexcept;
  // The server's number of the last error; 0: none.
  zend_long native_error(pdo_stmt_t* statement) const noexcept;
  // MySQL only: resets the session. The caller must select the initial database again. Returns false if the reset
  // failed or is not supported.
  bool reset_session() const noexcept;
  // MySQL only: the database that the connection was opened with; empty if none.
  std::string database() const noexcept;

 private:
  int socket() const noexcept;
  bool is_closed_by_client() const noexcept;
  void* handle() const noexcept { return *static_cast<void**>(dbh_->driver_data); }

  Driver driver_ = Driver::none;
  bool is_mysqlnd_ = false;
  pdo_dbh_t* dbh_ = nullptr;
  const pdo_dbh_methods* methods_ = nullptr;
};

}  // namespace trueasync::php::pdo
