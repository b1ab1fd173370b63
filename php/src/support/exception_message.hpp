// What an exception says, without a call of getMessage().
#pragma once

#include <string_view>

#include "support/zend.hpp"

namespace trueasync::php {

// The exception's own text, which ends with a 0: it lasts until somebody changes it.
inline std::string_view message_of(zend_object* exception) noexcept {
  zval unused;
  const zval* message =
      zend_read_property_ex(zend_get_exception_base(exception), exception, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &unused);
  return Z_TYPE_P(message) == IS_STRING ? std::string_view(Z_STRVAL_P(message), Z_STRLEN_P(message)) : "";
}

}  // namespace trueasync::php
