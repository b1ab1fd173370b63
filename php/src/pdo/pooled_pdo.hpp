// Template: a PDO object that was constructed with PDO::ATTR_POOL_ENABLED. It has no connection: PDO takes it for one of a
// driver of ours, which keeps the general attributes; everything else is done on the connection of the running coroutine.
//
// Owns: the recipe and the Async\Pool. Lifetime: the PDO object's. Threads: the engine's. Errors: EG(exception).
#pragma once

#include "pdo/connection_config.hpp"

namespace trueasync::php::pdo {

class PooledPdo {
 public:
  // Null: an ordinary one.
  static PooledPdo* of(zend_object* object) noexcept;
  // Makes an unconstructed PDO object one, from the arguments of its constructor. False: EG(exception) is set.
  static bool construct(zend_object* object, zval arguments[4]) noexcept;

  PoolObject& pool() const noexcept { return Class<PoolObject>::of(pool_.object()); }
  zend_object* pool_object() const noexcept { return pool_.object(); }
  const std::shared_ptr<ConnectionConfig>& recipe() const noexcept { return recipe_; }
  // The connection of the running coroutine; null: EG(exception) is set. May wait.
  Connection* bind() noexcept;

  bool is_constructed = false;  // until then attributes are options

 private:
  PooledPdo() = default;
  ~PooledPdo() = default;
  bool begin(zend_object* object, zval arguments[4]) noexcept;
  bool is_pool_there() const noexcept;
  // The options that are attributes, too. False: EG(exception) is set.
  bool set_options(zend_object* object) noexcept;

  static const pdo_dbh_methods kMethods;
  static void close(pdo_dbh_t* dbh);
  static bool set_attribute(pdo_dbh_t* dbh, zend_long attribute, zval* value);
  static int get_attribute(pdo_dbh_t* dbh, zend_long attribute, zval* value);
  static void fetch_error(pdo_dbh_t* dbh, pdo_stmt_t* statement, zval* info);
  static const zend_function_entry* driver_methods(pdo_dbh_t* dbh, int kind);
  static void report(pdo_dbh_t* dbh, zend_get_gc_buffer* buffer);

  std::shared_ptr<ConnectionConfig> recipe_;
  Value pool_;
  pdo_driver_t driver_{};
  std::vector<zend_function_entry> driver_methods_;
};

}  // namespace trueasync::php::pdo
