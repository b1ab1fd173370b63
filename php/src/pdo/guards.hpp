// A connection of PDO's, its statements included, is one coroutine's at a time.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::pdo {

// The methods of a class whose objects are connections.
void guard_connections(zend_class_entry* entry) noexcept;
void guard_statements() noexcept;

}  // namespace trueasync::php::pdo
