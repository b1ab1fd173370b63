// Guards for statements of shared connections outside of method calls: foreach fetches rows, and freeing a statement
// sends a command to the server. (guards.hpp wraps the methods.)
//
// If another coroutine uses the connection, a statement is freed after that use. Otherwise it is freed immediately and
// without suspending. Statements of pools are exempt: statement.hpp handles them.
//
// Thread safety: the engine's thread only.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::pdo {

void hook_statement_iteration(zend_class_entry* statements) noexcept;
// Hooks the destruction of statements at the first value returned by PDO that is a statement.
void hook_statement_free(const zval* returned) noexcept;
void unhook_statements() noexcept;

}  // namespace trueasync::php::pdo
