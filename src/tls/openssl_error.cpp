#include "tls/openssl_error.hpp"

#include <openssl/err.h>

#include <cstring>

namespace trueasync::detail {

void clear_openssl_errors() noexcept { ERR_clear_error(); }

std::string take_openssl_error() {
  const char* data = nullptr;
  int flags = 0;
  const unsigned long code = ERR_get_error_all(nullptr, nullptr, nullptr, &data, &flags);
  std::string text = "unknown error";
  if (code != 0) {
    const char* reason = ERR_reason_error_string(code);
    if (ERR_SYSTEM_ERROR(code)) reason = std::strerror(ERR_GET_REASON(code));
    text = reason ? reason : "error " + std::to_string(code);
    if (data && *data && (flags & ERR_TXT_STRING)) text += std::string(" (") + data + ")";
  }
  ERR_clear_error();
  return text;
}

}  // namespace trueasync::detail
