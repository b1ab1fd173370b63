// TlsSession: one TLS connection. OpenSSL calls never block: they work on a TlsTransportBuffer. The session moves its
// data to and from the transport and suspends if necessary. So a waiting reader does not block a writer, and vice
// versa.
//
// Lifetime: shared by the stream and its operations in flight. The stream may be closed or destroyed concurrently.
// Thread safety: the runtime's thread.
// Errors: thrown, see trueasync/io/tls.hpp.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <span>
#include <string>

#include "io/fifo_lock.hpp"
#include "io/io_handle.hpp"
#include "tls/transport_buffer.hpp"
#include "trueasync/io/tls.hpp"

namespace trueasync::detail {

class TlsSession {
 public:
  // `owned` is null or owns `transport`.
  TlsSession(Stream& transport, std::unique_ptr<Stream> owned, const TlsContext& context, std::string host);
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  void handshake(IoWait wait, SourceLocation location);
  std::size_t read_some(Bytes buffer, IoWait wait, SourceLocation location);
  std::size_t write_some(ConstBytes data, IoWait wait, SourceLocation location);
  void write_all(std::span<const ConstBytes> pieces, IoWait wait, SourceLocation location);
  void shutdown_write(IoWait wait, SourceLocation location);
  void close() noexcept;
  bool owns_transport() const noexcept { return owned_ != nullptr; }

  SSL* ssl() const noexcept { return ssl_.get(); }
  const std::string& name() const noexcept { return name_; }
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  std::uint64_t bytes_written() const noexcept { return bytes_written_; }

 private:
  struct FreeSsl {
    void operator()(SSL* ssl) const noexcept { SSL_free(ssl); }
  };

  void set_expected_host(const std::string& host);
  void check_open(const char* operation) const;
  [[noreturn]] void fail(const char* operation, int result);
  void run_handshake(IoWait wait, SourceLocation location);
  void fill(IoWait wait, SourceLocation location);
  void flush(IoWait wait, SourceLocation location);
  void try_flush(SourceLocation location);
  void encrypt(ConstBytes data, IoWait wait, SourceLocation location);
  void write_piece(ConstBytes piece, IoWait wait, SourceLocation location);

  TlsContext context_;
  Stream& transport_;
  std::unique_ptr<Stream> owned_;
  TlsTransportBuffer buffer_;
  std::unique_ptr<SSL, FreeSsl> ssl_;
  std::string name_;
  FifoLock read_lock_;
  FifoLock write_lock_;
  FifoLock handshake_lock_;
  FifoLock flush_lock_;
  FifoLock fill_lock_;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_written_ = 0;
  bool closed_ = false;
  bool close_notify_sent_ = false;
};

}  // namespace trueasync::detail
