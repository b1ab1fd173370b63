// TlsStream: TLS over any stream, as client or server, with OpenSSL. It is itself a Stream.
//
//   ta::TlsStream stream(ta::connect("example.org", 443), ta::TlsContext::client(), "example.org");
//   stream.write_all("GET / HTTP/1.1\r\n…");
//
// Behavior:
//   no handshake() call        the first read or write performs the handshake
//   one reader, one writer     run concurrently; a TLS reply caused by a read (a key update) is sent by the next
//                              writer, or by the reader if that does not suspend
//   two readers, two writers   FIFO order
//   interrupted read           no data is lost, the next read continues
//   interrupted write          encrypted data cannot be withdrawn: at most 64 KiB stay queued and are sent before the
//                              next write; bytes_written() counts them as written
//   interrupted handshake      call handshake() again to continue
//   close_notify received      read_some() returns 0; writing remains possible
//   end without close_notify   TlsTruncatedError
//   close() without            the peer gets a truncation error
//   shutdown_write()
//   rejected client            with TLS 1.3 the client's first read throws, because the server reports it after the
//   certificate                handshake
//
// Ownership: a transport that was moved in. A transport passed by reference must outlive the stream.
// Thread safety: one runtime.
// Errors: TlsError and derived errors, and errors of the transport.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "trueasync/export.hpp"
#include "trueasync/io/error.hpp"
#include "trueasync/io/stream.hpp"

namespace trueasync {

// Errors of TLS. Each is an IoError with code() EPROTO, so code that handles broken connections handles
// them too. The message is OpenSSL's: "TLS handshake with example.org: certificate verify failed: certificate has
// expired".
//
// Thread safety: plain values.

// TlsError: a TLS operation failed.
class TRUEASYNC_EXPORT TlsError : public IoError {
 public:
  TlsError(std::string operation, const std::string& message);
  ~TlsError() override;
};

// TlsCertificateError: the peer's certificate was rejected: unknown issuer, wrong host, expired.
class TRUEASYNC_EXPORT TlsCertificateError : public TlsError {
 public:
  TlsCertificateError(std::string operation, const std::string& message, long reason);
  ~TlsCertificateError() override;
  // One of OpenSSL's X509_V_ERR_ codes.
  long reason() const noexcept { return reason_; }

 private:
  long reason_;
};

// TlsTruncatedError: the connection ended without close_notify, so the data may be truncated, by accident or by an
// attacker. A clean end is a read of 0 bytes.
class TRUEASYNC_EXPORT TlsTruncatedError : public TlsError {
 public:
  explicit TlsTruncatedError(std::string operation);
  ~TlsTruncatedError() override;
};

// TlsContext: settings shared by many TLS connections: trusted certificates, identity, protocols. Create it once:
// loading the system's certificates takes milliseconds.
//
// Ownership: a share of the settings; copies refer to the same context, and every connection keeps what it needs.
// Thread safety: any thread.
// Errors: TlsError if a file cannot be used.

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

namespace detail {
class TlsSession;
}

class TRUEASYNC_EXPORT TlsStream final : public Stream {
 public:
  // `host` is the peer's name or address for a client: sent as SNI and checked against the certificate. MisuseError if
  // a verifying client has no host.
  TlsStream(Stream& transport, const TlsContext& context, std::string host = {});
  TlsStream(std::unique_ptr<Stream> transport, const TlsContext& context, std::string host = {});
  template <std::derived_from<Stream> S>
  requires(!std::is_lvalue_reference_v<S> && std::move_constructible<S>)
      TlsStream(S&& transport, const TlsContext& context, std::string host = {})
      : TlsStream(std::unique_ptr<Stream>(std::make_unique<S>(std::move(transport))), context, std::move(host)) {}
  TlsStream(TlsStream&& other) noexcept;
  TlsStream& operator=(TlsStream&& other) noexcept;
  ~TlsStream() override;

  void handshake(WaitOptions options = {}, SourceLocation location = SourceLocation::current());

  std::size_t read_some(Bytes buffer, WaitOptions options = {},
                        SourceLocation location = SourceLocation::current()) override;
  std::size_t write_some(ConstBytes data, WaitOptions options = {},
                         SourceLocation location = SourceLocation::current()) override;
  using Stream::write_all;
  void write_all(std::span<const ConstBytes> pieces, WaitOptions options = {},
                 SourceLocation location = SourceLocation::current()) override;
  // Sends close_notify. The transport stays open.
  void shutdown_write(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) override;
  // Closes the transport without close_notify. The destructor does so for an owned transport.
  void close() noexcept override;
  std::string_view name() const noexcept override;

  // Plain-text bytes so far.
  std::uint64_t bytes_read() const noexcept;
  std::uint64_t bytes_written() const noexcept;

  // Properties of the session; empty before the handshake.
  std::string alpn() const;
  std::string version() const;  // "TLSv1.3"
  std::string cipher() const;   // "TLS_AES_256_GCM_SHA384"
  // "CN=example.org,O=Example"; empty without a peer certificate.
  std::string peer_subject() const;
  // The host that the client requested (SNI).
  std::string server_name() const;

 private:
  std::shared_ptr<detail::TlsSession> session_;
};

}  // namespace trueasync
