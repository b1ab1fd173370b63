// Statements of connections that coroutines share, where no method is called: foreach fetches, and the end of one talks to the
// server.
//
// A statement that is let go of while another coroutine is in its connection is freed when that one has left; otherwise at
// once, without a turn for anybody. Statements of pools are theirs. Threads: the engine's.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::pdo {

void hook_statement_iteration(zend_class_entry* statements) noexcept;
// What a method has returned, perhaps a statement.
void hook_statement_free(const zval* returned) noexcept;
void unwatch_statements() noexcept;

}  // namespace trueasync::php::pdo
