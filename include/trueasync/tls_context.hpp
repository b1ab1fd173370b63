// TlsContext: the settings many TLS connections share – whom to trust, who we are, what we speak. Made once: reading
// the system's certificates takes milliseconds.
//
// Owns: a share of the settings; copies are the same context, and every connection keeps what it needs of it.
// Threads: may be used by several at once. Errors: TlsError when a file can't be used.
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

enum class TlsVersion : std::uint8_t { tls_1_2, tls_1_3 };

// A certificate with its chain, and its key, both PEM.
struct TlsIdentity {
  std::string certificate_file;
  std::string key_file;
};

struct TlsClientOptions {
  bool verify = true;         // the certificate and the host's name; without it anybody can listen in
  std::string ca_file = {};   // trust these (PEM) instead of the system's
  TlsIdentity identity = {};  // for servers that ask for one
  std::vector<std::string> alpn = {};
  TlsVersion minimum = TlsVersion::tls_1_2;
};

struct TlsServerOptions {
  TlsIdentity identity;
  std::map<std::string, TlsIdentity> by_name = {};  // for clients that ask for this host (SNI)
  std::string client_ca_file = {};                  // clients must show a certificate of one of these
  std::vector<std::string> alpn = {};               // in order of preference; a client that has none of them is refused
  TlsVersion minimum = TlsVersion::tls_1_2;
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
