// ConnectionConfig: how the connections of one pool are created, and the settings that all of them share: the target,
// the constructor's options, and the attributes and driver calls that followed.
//
// Ownership: copies of the constructor's arguments.
// Lifetime: shared by the PDO object, its connections and the pool's hooks.
// Thread safety: the engine's thread only.
// Errors: as stated for each call.
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
  // The pool's factory: a connected PDO object. Throws PDO's exception as a PhpException.
  std::unique_ptr<Value> create_connection(const std::shared_ptr<ConnectionConfig>& self);
  // Applies the settings that the connection lacks. Attributes that would end its transaction are deferred. Returns
  // false if EG(exception) is set.
  bool apply_settings(Connection& connection) noexcept;
  // Stores an attribute that PDO has accepted, for all connections.
  void record_attribute(zend_long attribute, zval* value) noexcept;
  // Stores a call of a driver's method that must run on every connection, such as sqliteCreateFunction().
  void record_call(zend_string* method, zval* arguments, std::uint32_t count) noexcept;
  // Reports the values to the collector as references of the PDO object. clear_values() must run when that object is
  // destroyed, although connections may still share the config.
  void report(zend_get_gc_buffer* buffer) const noexcept;
  void clear_values() noexcept;
  // The value of an attribute or option; null if it was not set.
  zval* find_attribute(zend_long attribute) const noexcept;

  zend_class_entry* entry = nullptr;  // class of the connections
  Driver driver = Driver::none;
  std::string driver_name;
  Value arguments[3];                  // the constructor's DSN, user name and password
  Value options;                       // the constructor's options without those of the pool: an array
  Value attributes;                    // an array by attribute number
  std::uint64_t settings_version = 0;  // incremented by every recorded attribute and call
  std::vector<DriverCall> calls;
  std::size_t cache_size = 0;
  zend_long min = 0;
  zend_long max = 10;
  zend_long healthcheck_interval = 0;  // seconds; 0: no health checks
  BindingList bindings;
  std::vector<ConnectionBinding*> reclaimable;  // the oldest first
  std::size_t waiter_count = 0;                 // coroutines that wait for a connection
};

// Creates the Async\Pool. The caller gets a reference. Null: EG(exception) is set.
zend_object* make_pool(const std::shared_ptr<ConnectionConfig>& config) noexcept;

}  // namespace trueasync::php::pdo
