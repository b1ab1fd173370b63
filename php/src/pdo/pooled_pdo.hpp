// PooledPdo: a PDO object that was constructed with PDO::ATTR_POOL_ENABLED. It has no connection itself. For PDO its
// driver is this class, which stores the general attributes. Everything else runs on the connection of the current
// coroutine.
//
// Ownership: the config and the Async\Pool.
// Lifetime: that of the PDO object.
// Thread safety: the engine's thread only.
// Errors: EG(exception).
#pragma once

#include "pdo/connection_config.hpp"

namespace trueasync::php::pdo {

class PooledPdo {
 public:
  // Null if the object is not pooled.
  static PooledPdo* of(zend_object* object) noexcept;
  // Makes an unconstructed PDO object a pooled one; `arguments` are those of its constructor. Returns false if
  // EG(exception) is set.
  static bool construct(zend_object* object, zval arguments[4]) noexcept;

  PoolObject& pool() const noexcept { return Class<PoolObject>::of(pool_.object()); }
  zend_object* pool_object() const noexcept { return pool_.object(); }
  const std::shared_ptr<ConnectionConfig>& config() const noexcept { return config_; }
  // The connection of the current coroutine. Null: EG(exception) is set. May suspend.
  Connection* bind() noexcept;

  bool is_constructed = false;  // before that, setAttribute() only stores the constructor's options

 private:
  PooledPdo() = default;
  ~PooledPdo() = default;
  // Fills the config from the constructor's arguments. Returns false if EG(exception) is set.
  bool configure(zend_object* object, zval arguments[4]) noexcept;
  bool has_live_pool() const noexcept;
  // Sets the constructor's options as attributes of the PDO object. Returns false if EG(exception) is set.
  bool set_options(zend_object* object) noexcept;

  static const pdo_dbh_methods kMethods;
  static void close(pdo_dbh_t* dbh);
  static bool set_attribute(pdo_dbh_t* dbh, zend_long attribute, zval* value);
  static int get_attribute(pdo_dbh_t* dbh, zend_long attribute, zval* value);
  static void fetch_error(pdo_dbh_t* dbh, pdo_stmt_t* statement, zval* info);
  static const zend_function_entry* driver_methods(pdo_dbh_t* dbh, int kind);
  static void report(pdo_dbh_t* dbh, zend_get_gc_buffer* buffer);

  std::shared_ptr<ConnectionConfig> config_;
  Value pool_;
  pdo_driver_t driver_{};
  std::vector<zend_function_entry> driver_methods_;
};

}  // namespace trueasync::php::pdo
