// What the client library of a driver knows about a connection without asking its server. Drivers keep the library's handle
// first in their data; the library's functions are found at run time, and where they are missing the answer is what PDO
// itself knows.
//
// Threads: the engine's. Errors: none.
#pragma once

#include "pdo/driver.hpp"
#include "pdo/pdo.hpp"

namespace trueasync::php::pdo {

class DriverClient {
 public:
  DriverClient() noexcept = default;
  DriverClient(Driver driver, pdo_dbh_t& dbh, const pdo_dbh_methods& methods) noexcept;

  // The server's word, however the transaction began (DB-02).
  bool is_in_transaction() const noexcept;
  // Between two commands, as far as is known here: nothing sent that is not answered, no loss noticed.
  bool is_idle() const noexcept;
  // The same, and nothing lies unread in its socket: an idle one that has something to say says goodbye (DB-14). One
  // system call that never waits.
  bool has_no_unread_data() const noexcept;
  // After an error, by its code: the connection is lost (DB-11, DB-14).
  bool is_lost(pdo_stmt_t* statement) const noexcept;
  // The server's own number of the last error; 0: none.
  zend_long native_error(pdo_stmt_t* statement) const noexcept;
  // For MySQL: the session begins anew, in the database that it began in. False: it did not, or can't.
  bool reset_session() const noexcept;
  std::string database() const noexcept;

 private:
  int socket() const noexcept;
  bool has_given_up() const noexcept;
  void* handle() const noexcept { return *static_cast<void**>(dbh_->driver_data); }

  Driver driver_ = Driver::none;
  bool is_mysqlnd_ = false;
  pdo_dbh_t* dbh_ = nullptr;
  const pdo_dbh_methods* methods_ = nullptr;
};

}  // namespace trueasync::php::pdo
