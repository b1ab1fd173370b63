// Stock PDO: a module that may be absent. The extension does not link against its symbols.
//
// Thread safety: the engine's thread only.
// Errors: none.
#pragma once

#include "support/zend.hpp"

extern "C" {
#include "ext/pdo/php_pdo_driver.h"
}

namespace trueasync::php::pdo {

// Null if PDO is not loaded.
struct Classes {
  zend_class_entry* pdo = nullptr;
  zend_class_entry* exception = nullptr;
};
inline Classes classes;

// PDO::ATTR_POOL_…. The numbers are far from those of PDO and the drivers, which never see these attributes.
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

// At module start, after PDO's: adds the constants and getPool(), and replaces PDO's methods.
void register_pool();
// At module end: undoes register_pool().
void unregister_pool() noexcept;

// Throws a PDOException; EG(exception) is set.
void throw_pdo_exception(const std::string& message) noexcept;

inline bool has_error(const pdo_error_type& code) noexcept {
  return code[0] != '\0' && std::strcmp(code, "00000") != 0;
}
inline void set_error(pdo_error_type& code, const char* value) noexcept { std::memcpy(code, value, sizeof(code)); }

}  // namespace trueasync::php::pdo
