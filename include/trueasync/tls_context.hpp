// TlsContext: settings shared by many TLS connections: trusted certificates, identity, protocols. Create it once:
// loading the system's certificates takes milliseconds.
//
// Ownership: a share of the settings; copies refer to the same context, and every connection keeps what it needs.
// Thread safety: any thread.
// Errors: TlsError if a file cannot be used.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "trueasync/export.hpp"
#include "trueasync/tls_error.hpp"

namespace trueasync {

namespace detail {
struct TlsContextState;
}

// TlsVersion: a TLS protocol version.
enum class TlsVersion : std::uint8_t { tls_1_2, tls_1_3 };

// TlsIdentity: a certificate with its chain and its key, both as PEM files.
struct TlsIdentity {
  std::string certificate_file;
  std::string key_file;
};

// TlsClientOptions: options of a client context.
struct TlsClientOptions {
  bool verify = true;                        // verify the certificate and the host name; default: yes
  std::string ca_file = {};                  // PEM file of trusted CAs; empty: the system's
  TlsIdentity identity = {};                 // client certificate for servers that request one
  std::vector<std::string> alpn = {};        // protocols in order of preference; default: none
  TlsVersion minimum = TlsVersion::tls_1_2;  // default: TLS 1.2
};

// TlsServerOptions: options of a server context.
struct TlsServerOptions {
  TlsIdentity identity;
  std::map<std::string, TlsIdentity> by_name = {};  // identities by requested host name (SNI)
  std::string client_ca_file = {};                  // require a client certificate of one of these CAs; empty: none
  std::vector<std::string> alpn = {};  // protocols in order of preference; a client without one of them is rejected
  TlsVersion minimum = TlsVersion::tls_1_2;  // default: TLS 1.2
};

class TRUEASYNC_EXPORT TlsContext {
 public:
  static TlsContext client(const TlsClientOptions& options = {});
  static TlsContext server(const TlsServerOptions& options);

  const detail::TlsContextState& state() const noexcept { return *state_; }

 private:
  explicit TlsContext(std::shared_ptr<const detail::TlsContextState> state) noexcept : state_(std::move(state)) {}

  std::shared_ptr<const detail::TlsContextState> state_;
};

}  // namespace trueasync
