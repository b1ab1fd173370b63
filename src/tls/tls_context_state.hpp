// What a TlsContext refers to: OpenSSL's settings, and those of the names a server also answers to.
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

// Host names are the same in capitals (RFC 6066).
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
  std::string alpn;  // in the form of the protocol: length, name, length, name
  bool is_server = false;
  bool verifies = false;
};

}  // namespace trueasync::detail
