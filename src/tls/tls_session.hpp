// TlsSession: one TLS connection. OpenSSL's calls never wait here: they work on CipherText, and the session moves that
// to and from the transport, suspending as it has to. So a reader and a writer that both wait don't know of each other.
//
// Lifetime: shared by the stream and every operation under way, so the stream may be closed or dropped under them.
// Threads: the runtime's. Errors: thrown, as the public header says.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <span>
#include <string>

#include "io/io_handle.hpp"
#include "io/turn_queue.hpp"
#include "tls/cipher_text.hpp"
#include "trueasync/tls_context.hpp"

namespace trueasync::detail {

class TlsSession {
 public:
  // `owned` is the same as `transport`, or nothing.
  TlsSession(Stream& transport, std::unique_ptr<Stream> owned, const TlsContext& context, std::string host);
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  void handshake(IoDeadline deadline, Place place);
  std::size_t read(Bytes buffer, IoDeadline deadline, Place place);
  std::size_t write_some(ConstBytes data, IoDeadline deadline, Place place);
  void write(std::span<const ConstBytes> pieces, IoDeadline deadline, Place place);
  void shutdown_write(IoDeadline deadline, Place place);
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

  void expect(const std::string& host);
  void raise_if_closed(const char* operation) const;
  [[noreturn]] void fail(const char* operation, int result);
  void shake_hands(IoDeadline deadline, Place place);
  void fill(IoDeadline deadline, Place place);
  void flush(IoDeadline deadline, Place place);
  void flush_what_goes(Place place);
  void encrypt(ConstBytes data, IoDeadline deadline, Place place);
  void write_piece(ConstBytes piece, IoDeadline deadline, Place place);

  TlsContext context_;
  Stream& transport_;
  std::unique_ptr<Stream> owned_;
  CipherText cipher_;
  std::unique_ptr<SSL, FreeSsl> ssl_;
  std::string name_;
  TurnQueue reading_;
  TurnQueue writing_;
  TurnQueue shaking_;
  TurnQueue flushing_;
  TurnQueue filling_;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_written_ = 0;
  bool closed_ = false;
  bool said_goodbye_ = false;
};

}  // namespace trueasync::detail
