// TlsContextState: the OpenSSL context of a TlsContext, and the contexts of a server's additional host names.
#pragma once

#include <openssl/ssl.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace trueasync::detail {

struct FreeSslContext {
  void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};
using SslContext = std::unique_ptr<SSL_CTX, FreeSslContext>;

// Compares host names without regard to case (RFC 6066).
struct HostNameLess {
  using is_transparent = void;
  bool operator()(std::string_view left, std::string_view right) const noexcept {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(),
                                        [&](char a, char b) { return lower(a) < lower(b); });
  }
};

struct TlsContextState {
  SslContext context;
  std::map<std::string, SslContext, HostNameLess> by_name;
  std::string alpn;  // wire format: each name preceded by its length
  bool is_server = false;
  bool verifies = false;
};

}  // namespace trueasync::detail
