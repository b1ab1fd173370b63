// Statements of pooled connections. Hooks around the driver's statement methods keep the connection leased while a
// statement exists, return unused statements to the cache, and prepare stale statements again.
//
// Thread safety: the engine's thread only.
// Errors: as in PDO's drivers: false or 0, and an error code in the statement.
#pragma once

#include "pdo/connection.hpp"

namespace trueasync::php::pdo {

// Takes a statement with that text from the cache, or prepares a new one.
bool prepare_statement(Connection& connection, zend_string* text, pdo_stmt_t* statement, zval* options);

}  // namespace trueasync::php::pdo
