// Guards for PDO objects that coroutines share: only one coroutine at a time uses a connection or one of its statements.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::pdo {

// Wraps the methods of a class whose objects are connections.
void guard_connections(zend_class_entry* entry) noexcept;
void guard_statements() noexcept;

}  // namespace trueasync::php::pdo
