// PDO's methods, replaced: on an ordinary object the original runs as ever; on a pooled one it runs with the connection of
// the coroutine as its $this, in the same frame, so that arguments, errors and traces are PDO's own.
#pragma once

#include "support/value.hpp"

namespace trueasync::php::pdo {

// A driver's method, on a pooled PDO.
void call_driver_method(zend_execute_data* execute_data, zval* return_value);
// connect(), or the constructor, on one that has its target (DB-16).
void refuse_connect(zend_execute_data* execute_data, zval* return_value);
// A copy of the options for PDO; an empty array if there are none.
Value without_pool_attributes(const zval* options) noexcept;

}  // namespace trueasync::php::pdo
