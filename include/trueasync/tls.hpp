// TlsStream: TLS over any stream, as client or server, by OpenSSL. It is a Stream itself: protocols don't notice.
//
//   ta::TlsStream stream(ta::connect("example.org", 443), ta::TlsContext::client(), "example.org");
//   stream.write("GET / HTTP/1.1\r\n…");
//
// Owns: the transport that was moved in, or nothing of the one it was given by reference, which must outlive it.
// Threads: the runtime's. Errors: TlsError and its kinds, and what the transport throws.
//
// What happens when
//   nobody calls handshake()   the first read or write does it
//   one reads, one writes      at the same time, as on any stream; what TLS has to answer while reading (a key update)
//                              is sent by whoever writes next, or by the reader if it can be without waiting
//   two read, two write        in turns, in the order they came
//   a read ends early          (limit, cancelled) nothing is lost: the next one goes on where it was
//   a write ends early         what was encrypted can't be taken back: at most 64 KiB wait here and go out before
//                              whatever is written next; bytes_written() counts them as written
//   the handshake ends early   call it again, and it goes on
//   the other side says        read() returns 0, and 0 again; writing goes on
//   goodbye
//   the other side just ends   TlsTruncatedError
//   close() without            the other side gets a TlsTruncatedError of its own
//   shutdown_write()
//   a client's certificate is  TLS 1.3 tells it after the handshake: the client's first read throws
//   refused
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "trueasync/stream.hpp"
#include "trueasync/tls_context.hpp"

namespace trueasync {

namespace detail {
class TlsSession;
}

class TRUEASYNC_EXPORT TlsStream final : public Stream {
 public:
  // `host` is whom a client wants to speak to: asked for (SNI) and found in the certificate, a name or an address. A
  // client that verifies needs one: MisuseError without it.
  TlsStream(Stream& transport, const TlsContext& context, std::string host = {});
  TlsStream(std::unique_ptr<Stream> transport, const TlsContext& context, std::string host = {});
  template <std::derived_from<Stream> S>
  requires(!std::is_lvalue_reference_v<S> && std::move_constructible<S>)
      TlsStream(S&& transport, const TlsContext& context, std::string host = {})
      : TlsStream(std::unique_ptr<Stream>(std::make_unique<S>(std::move(transport))), context, std::move(host)) {}
  TlsStream(TlsStream&& other) noexcept;
  TlsStream& operator=(TlsStream&& other) noexcept;
  ~TlsStream() override;

  void handshake(Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current());

  std::size_t read(Bytes buffer, Limit timeout = std::nullopt,
                   SourceLocation location = SourceLocation::current()) override;
  std::size_t write_some(ConstBytes data, Limit timeout = std::nullopt,
                         SourceLocation location = SourceLocation::current()) override;
  void write(ConstBytes data, Limit timeout = std::nullopt,
             SourceLocation location = SourceLocation::current()) override;
  using Stream::write;
  void write_vectored(std::span<const ConstBytes> pieces, Limit timeout = std::nullopt,
                      SourceLocation location = SourceLocation::current()) override;
  // Says goodbye (close_notify). The transport stays as it is.
  void shutdown_write(Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current()) override;
  // Closes the transport, at once and without a goodbye. The destructor does it for a transport of its own.
  void close() noexcept override;
  std::string_view name() const noexcept override;

  // Plain text that went through so far.
  std::uint64_t bytes_read() const noexcept;
  std::uint64_t bytes_written() const noexcept;

  // After the handshake; empty before it.
  std::string alpn() const;
  std::string version() const;  // "TLSv1.3"
  std::string cipher() const;   // "TLS_AES_256_GCM_SHA384"
  // "CN=example.org,O=Example"; empty when the other side showed no certificate.
  std::string peer_subject() const;
  // The host the client asked for (SNI).
  std::string server_name() const;

 private:
  std::shared_ptr<detail::TlsSession> session_;
};

}  // namespace trueasync
