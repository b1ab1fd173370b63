// Recipe: how the connections of one pool are made and what all of them have in common: where to, the options given at
// construction (DB-03), attributes set since (DB-04).
//
// Owns: copies of the constructor's arguments. Lifetime: shared by the PDO object, its connections and the pool's hooks.
// Threads: the engine's. Errors: as said per call.
#pragma once

#include "pdo/connection_binding.hpp"
#include "pdo/driver.hpp"
#include "pool.hpp"

namespace trueasync::php::pdo {

struct DriverCall {
  std::string method;
  std::vector<Value> arguments;
};

class ConnectionConfig {
 public:
  // For the library: a PDO object that has connected. Throws what PDO threw.
  std::unique_ptr<Value> make(const std::shared_ptr<ConnectionConfig>& self);
  // Gives one that lacks some the attributes and functions that were set since, and what its transaction forbids after
  // that; false: EG(exception) is set.
  bool apply_settings(Connection& connection) noexcept;
  // After PDO has accepted it.
  void record(zend_long attribute, zval* value) noexcept;
  // A driver's method that every connection wants to be called with: sqliteCreateFunction.
  void record_call(zend_string* method, zval* arguments, std::uint32_t count) noexcept;
  // To the collector, in the name of the PDO object: with it they go, whoever still has the recipe.
  void report(zend_get_gc_buffer* buffer) const noexcept;
  void forget_values() noexcept;
  // What was given or set; null: neither.
  zval* find_attribute(zend_long attribute) const noexcept;

  zend_class_entry* entry = nullptr;  // of the connections
  Driver driver = Driver::none;
  std::string driver_name;
  Value arguments[3];         // as PDO's constructor takes them
  Value options;              // an array, without those of the pool
  Value attributes;           // an array, by number
  std::uint64_t version = 0;  // of attributes and calls
  std::vector<DriverCall> calls;
  std::size_t cache_size = 0;
  zend_long min = 0;
  zend_long max = 10;
  zend_long interval = 0;
  BindingList bindings;
  std::vector<ConnectionBinding*> reclaimable;  // the longest first
  std::size_t waiting = 0;                      // coroutines that wait for a connection
};

// The Async\Pool of a recipe; the caller has the reference. Null: EG(exception) is set.
zend_object* make_pool(const std::shared_ptr<ConnectionConfig>& recipe) noexcept;

}  // namespace trueasync::php::pdo
