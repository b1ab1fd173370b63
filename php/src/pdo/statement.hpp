// The statements of pooled connections: the driver's methods are called through ours, which see to it that a statement keeps
// its connection, that one goes back to the cache when nobody needs it, and that a stale one is prepared again.
//
// Threads: the engine's. Errors: as PDO's drivers: false or 0, and a code in the statement.
#pragma once

#include "pdo/connection.hpp"

namespace trueasync::php::pdo {

// Prepares it, from the cache if one with that text is there.
bool prepare_statement(Connection& connection, zend_string* text, pdo_stmt_t* statement, zval* options);

}  // namespace trueasync::php::pdo
