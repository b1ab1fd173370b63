// What a TlsContext refers to: OpenSSL's settings, and those of the names a server also answers to.
#pragma once

#include <openssl/ssl.h>

#include <map>
#include <memory>
#include <string>

namespace trueasync::detail {

struct FreeSslContext {
  void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};
using SslContext = std::unique_ptr<SSL_CTX, FreeSslContext>;

struct TlsContextState {
  SslContext context;
  std::map<std::string, SslContext, std::less<>> by_name;
  std::string alpn;  // in the form of the protocol: length, name, length, name
  bool is_server = false;
  bool verifies = false;
};

}  // namespace trueasync::detail
