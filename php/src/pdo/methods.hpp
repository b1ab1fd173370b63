// Replacements of PDO's methods. On an ordinary object the original method runs. On a pooled object the original runs in
// the same frame with the coroutine's connection as $this, so that arguments, errors and traces are those of PDO.
//
// Thread safety: the engine's thread only.
// Errors: EG(exception).
#pragma once

#include <array>

#include "pdo/pooled_pdo.hpp"

namespace trueasync::php::pdo {

enum Method : std::size_t {
  kConstruct,
  kPrepare,
  kBegin,
  kCommit,
  kRollBack,
  kInTransaction,
  kSetAttribute,
  kExec,
  kLastInsertId,
  kErrorCode,
  kErrorInfo,
  kGetAttribute,
  kQuery,
  kQuote,
  kConnect,
  kMethodCount
};

// PDO's handlers while the replacements are installed.
inline std::array<zif_handler, kMethodCount> originals{};

struct Replacement {
  const char* name;
  zif_handler handler;
};
extern const std::array<Replacement, kMethodCount> kReplacements;

// Runs a method of PDO with that connection as $this, then releases the connection if it is free.
void run_on_connection(Connection& connection, zif_handler handler, INTERNAL_FUNCTION_PARAMETERS);
// The same with the coroutine's connection. Acquires one if the coroutine has none.
void run_pooled(PooledPdo& pooled, zif_handler handler, INTERNAL_FUNCTION_PARAMETERS);
// The coroutine's connection; null if it has none or if it is broken.
Connection* find_bound_connection(const PooledPdo& pooled) noexcept;
// Sets file and line of a pending PDOException to the PHP caller: the pool creates connections in other coroutines.
void set_exception_location_to_caller() noexcept;

// construction.cpp
void construct(INTERNAL_FUNCTION_PARAMETERS);
void connect(INTERNAL_FUNCTION_PARAMETERS);
// connect(), or a second call of the constructor, on a pooled object.
void reject_connect(INTERNAL_FUNCTION_PARAMETERS);
void throw_connect_rejected() noexcept;
// A copy of the options for PDO; an empty array if there are none.
Value without_pool_attributes(const zval* options) noexcept;

// attributes.cpp
void get_attribute(INTERNAL_FUNCTION_PARAMETERS);
void set_attribute(INTERNAL_FUNCTION_PARAMETERS);

// A driver's method on a pooled object.
void call_driver_method(INTERNAL_FUNCTION_PARAMETERS);
// A method of a driver's class (PHP 8.4: Pdo\Sqlite and others) on any object.
void call_class_method(zif_handler original, INTERNAL_FUNCTION_PARAMETERS);

}  // namespace trueasync::php::pdo
