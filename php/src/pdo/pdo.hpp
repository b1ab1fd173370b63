// Stock PDO, as we meet it: a module that may be there or not, whose symbols we never link against.
//
// Threads: the engine's. Errors: none.
#pragma once

#include "support/zend.hpp"

extern "C" {
#include "ext/pdo/php_pdo_driver.h"
}

namespace trueasync::php::pdo {

// The classes; null: PDO is not loaded.
struct Classes {
  zend_class_entry* pdo = nullptr;
  zend_class_entry* exception = nullptr;
};
inline Classes classes;

// PDO::ATTR_POOL_…: ours, far from PDO's own and from the drivers', none of which ever sees them.
enum Attribute : zend_long {
  kPoolEnabled = 71000,
  kPoolMin,
  kPoolMax,
  kPoolHealthcheckInterval,
  kPoolStmtCacheSize,
};
inline bool is_pool_attribute(zend_long attribute) noexcept {
  return attribute >= kPoolEnabled && attribute <= kPoolStmtCacheSize;
}

// At module start, after PDO's: the constants and getPool(), and our versions of its methods. At module end: undone.
void register_pool();
void unregister_pool() noexcept;

// Throws a PDOException; EG(exception) is set.
void raise_pdo(const std::string& message) noexcept;

inline bool has_error(const pdo_error_type& code) noexcept {
  return code[0] != '\0' && std::strcmp(code, "00000") != 0;
}
inline void set_error(pdo_error_type& code, const char* value) noexcept { std::memcpy(code, value, sizeof(code)); }

}  // namespace trueasync::php::pdo
