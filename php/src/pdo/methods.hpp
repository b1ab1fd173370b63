// PDO's methods, replaced: on an ordinary object the original runs as ever; on a pooled one it runs with the connection of
// the coroutine as its $this, in the same frame, so that arguments, errors and traces are PDO's own.
//
// Threads: the engine's. Errors: EG(exception).
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

// PDO's own, while ours are in their place.
inline std::array<zif_handler, kMethodCount> originals{};

struct Replacement {
  const char* name;
  zif_handler ours;
};
extern const std::array<Replacement, kMethodCount> kReplacements;

// Runs a method of PDO's with that connection as its object.
void run_on(Connection& connection, zif_handler handler, INTERNAL_FUNCTION_PARAMETERS);
// The same with the coroutine's connection, a new one if it has none.
void run_pooled(PooledPdo& pooled, zif_handler handler, INTERNAL_FUNCTION_PARAMETERS);
// The connection that the coroutine has; null: none that works.
Connection* bound(const PooledPdo& pooled) noexcept;
// A PDOException of the pool's was thrown where it connects: the caller is where it matters.
void set_exception_location_to_caller() noexcept;

// construction.cpp
void construct(INTERNAL_FUNCTION_PARAMETERS);
void connect(INTERNAL_FUNCTION_PARAMETERS);
// connect(), or the constructor, on one that has its target (DB-16).
void refuse_connect(INTERNAL_FUNCTION_PARAMETERS);
void raise_connect_refused() noexcept;
// A copy of the options for PDO; an empty array if there are none.
Value without_pool_attributes(const zval* options) noexcept;

// attributes.cpp
void get_attribute(INTERNAL_FUNCTION_PARAMETERS);
void set_attribute(INTERNAL_FUNCTION_PARAMETERS);

// A driver's method, on a pooled PDO (DB-07).
void call_driver_method(INTERNAL_FUNCTION_PARAMETERS);
// The same for the methods that drivers' classes have since PHP 8.4, on any object.
void call_class_method(zif_handler original, INTERNAL_FUNCTION_PARAMETERS);

}  // namespace trueasync::php::pdo
