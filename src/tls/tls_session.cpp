#include "tls/tls_session.hpp"

#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "scheduler/api_support.hpp"
#include "tls/openssl_error.hpp"
#include "tls/tls_context_state.hpp"

namespace trueasync::detail {

namespace {

constexpr std::size_t kMaxRecord = 16 * 1024;  // plain text of one record
constexpr std::size_t kMaxUnsent = 64 * 1024;  // with more encrypted data the writer waits until it is sent
constexpr const char* kHandshake = "TLS handshake with";

void acquire(FifoLockRequest& lock, IoWait wait, SourceLocation location) {
  if (lock.lock_or_enqueue()) return;
  const IoResult outcome = wait_for_event(lock, wait, location);
  if (!outcome.ok()) throw_interruption(outcome);
}

}  // namespace

TlsSession::TlsSession(Stream& transport, std::unique_ptr<Stream> owned, const TlsContext& context, std::string host)
    : context_(context), transport_(transport), owned_(std::move(owned)) {
  const TlsContextState& state = context.state();
  clear_openssl_errors();
  ssl_.reset(SSL_new(state.context.get()));
  if (!ssl_) throw std::bad_alloc();
  BIO* bio = buffer_.new_bio();
  SSL_set_bio(ssl_.get(), bio, bio);
  if (state.is_server) {
    SSL_set_accept_state(ssl_.get());
  } else {
    SSL_set_connect_state(ssl_.get());
    set_expected_host(host);
  }
  name_ = host.empty() ? std::string(transport.name()) : std::move(host);
}

// A name is sent to the server (SNI) and checked against the certificate. An address is only checked (RFC 6066).
void TlsSession::set_expected_host(const std::string& host) {
  if (host.empty()) {
    if (!context_.state().verifies) return;
    throw MisuseError(
        "TlsStream: the host name is empty; pass it as the third argument, or set TlsClientOptions::verify = false");
  }
  X509_VERIFY_PARAM* parameters = SSL_get0_param(ssl_.get());
  if (X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str()) == 1) return;
  clear_openssl_errors();
  X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (SSL_set1_host(ssl_.get(), host.c_str()) != 1 || SSL_set_tlsext_host_name(ssl_.get(), host.c_str()) != 1) {
    throw MisuseError("TlsStream: invalid host name \"" + host + "\"");
  }
}

void TlsSession::check_open(const char* operation) const {
  if (closed_) throw ClosedError(operation + (" " + name_));
}

// Throws the error of the OpenSSL call that just failed. Sends its alert, if that does not need a wait.
void TlsSession::fail(const char* operation, int result) {
  const std::string description = operation + (" " + name_);
  const int kind = SSL_get_error(ssl_.get(), result);
  const long verify_result = SSL_get_verify_result(ssl_.get());
  const bool is_certificate =
      context_.state().verifies && verify_result != X509_V_OK && !SSL_is_init_finished(ssl_.get());
  std::string text = take_openssl_error();
  try_flush(SourceLocation::current());
  if (is_certificate)
    throw TlsCertificateError(description, text + ": " + X509_verify_cert_error_string(verify_result), verify_result);
  if (buffer_.is_at_end() && kind != SSL_ERROR_WANT_READ) throw TlsTruncatedError(description);
  throw TlsError(description, text);
}

// Reads more data for OpenSSL; the caller then repeats its OpenSSL call. A writer may need this too: a post-handshake
// message that arrives in two records puts OpenSSL back into the handshake. Only one coroutine reads; other callers
// return when it has finished, because its data may be all they need.
void TlsSession::fill(IoWait wait, SourceLocation location) {
  if (fill_lock_.is_locked()) {
    FifoLockRequest lock(fill_lock_);
    return acquire(lock, wait, location);
  }
  if (!buffer_.needs_refill()) return;  // another coroutine has read while the caller was flushing
  FifoLockRequest lock(fill_lock_);
  acquire(lock, wait, location);
  if (buffer_.pending() > kMaxUnsent) {
    flush(wait, location);  // bounds the answers to a flood of requests
  } else {
    try_flush(location);
  }
  buffer_.received(transport_.read_some(buffer_.space(), wait, location));
}

// Sends all encrypted data, including data that is added concurrently.
void TlsSession::flush(IoWait wait, SourceLocation location) {
  if (buffer_.pending() == 0) return;
  FifoLockRequest lock(flush_lock_);
  acquire(lock, wait, location);
  while (buffer_.pending() != 0) {
    buffer_.sent(transport_.write_some(buffer_.to_send(), wait, location));
  }
}

// Sends what is possible without waiting. A reader must not wait for its answers to be sent: the peer may read only
// after this side has read. The next writer sends the rest.
void TlsSession::try_flush(SourceLocation location) {
  if (buffer_.pending() == 0 || flush_lock_.is_locked()) return;
  try {
    flush(require_scheduler("TLS").reactor().now(), location);
  } catch (const TimeoutError&) {
  } catch (const IoError&) {  // received data can still be read
  }
}

void TlsSession::handshake(IoWait wait, SourceLocation location) {
  check_open(kHandshake);
  if (SSL_is_init_finished(ssl_.get())) return;
  FifoLockRequest lock(handshake_lock_);
  acquire(lock, wait, location);
  check_open(kHandshake);
  run_handshake(wait, location);
}

void TlsSession::run_handshake(IoWait wait, SourceLocation location) {
  while (!SSL_is_init_finished(ssl_.get())) {
    clear_openssl_errors();
    const int result = SSL_do_handshake(ssl_.get());
    if (result != 1 && SSL_get_error(ssl_.get(), result) != SSL_ERROR_WANT_READ) fail(kHandshake, result);
    // A TLS 1.3 server ends the handshake with session tickets. A client that only writes never reads them, so the
    // server must not wait until they are sent.
    if (result == 1 && context_.state().is_server && SSL_version(ssl_.get()) == TLS1_3_VERSION) {
      try_flush(location);
    } else {
      flush(wait, location);
    }
    if (result != 1) fill(wait, location);
  }
}

std::size_t TlsSession::read_some(Bytes buffer, IoWait wait, SourceLocation location) {
  if (buffer.empty()) return 0;
  FifoLockRequest lock(read_lock_);
  acquire(lock, wait, location);
  handshake(wait, location);
  for (;;) {
    check_open("read");
    clear_openssl_errors();
    std::size_t got = 0;
    const int result = SSL_read_ex(ssl_.get(), buffer.data(), buffer.size(), &got);
    if (result == 1) {
      bytes_read_ += got;
      return got;
    }
    const int kind = SSL_get_error(ssl_.get(), result);
    if (kind == SSL_ERROR_ZERO_RETURN) return 0;
    if (kind != SSL_ERROR_WANT_READ) fail("read", result);
    fill(wait, location);
  }
}

void TlsSession::encrypt(ConstBytes data, IoWait wait, SourceLocation location) {
  if (close_notify_sent_) throw TlsError("write " + name_, "shutdown_write() was called");
  while (!data.empty()) {
    check_open("write");
    clear_openssl_errors();
    std::size_t taken = 0;
    const int result = SSL_write_ex(ssl_.get(), data.data(), data.size(), &taken);
    if (result != 1) {
      if (SSL_get_error(ssl_.get(), result) != SSL_ERROR_WANT_READ) fail("write", result);
      fill(wait, location);
      continue;
    }
    bytes_written_ += taken;
    data = data.subspan(taken);
  }
}

// Flushes the rest of an interrupted write first: an interruption there has accepted none of `data`.
std::size_t TlsSession::write_some(ConstBytes data, IoWait wait, SourceLocation location) {
  if (data.empty()) return 0;
  FifoLockRequest lock(write_lock_);
  acquire(lock, wait, location);
  handshake(wait, location);
  flush(wait, location);
  data = data.first(std::min(data.size(), kMaxRecord));
  encrypt(data, wait, location);
  flush(wait, location);
  return data.size();
}

void TlsSession::write_piece(ConstBytes piece, IoWait wait, SourceLocation location) {
  while (!piece.empty()) {
    if (buffer_.pending() + kMaxRecord > kMaxUnsent) flush(wait, location);
    const std::size_t part = std::min(piece.size(), kMaxRecord);
    encrypt(piece.first(part), wait, location);
    piece = piece.subspan(part);
  }
}

// Combines small pieces into one record.
void TlsSession::write_all(std::span<const ConstBytes> pieces, IoWait wait, SourceLocation location) {
  FifoLockRequest lock(write_lock_);
  acquire(lock, wait, location);
  handshake(wait, location);
  std::array<std::byte, 2048> small;
  std::size_t used = 0;
  for (const ConstBytes piece : pieces) {
    if (used + piece.size() > small.size()) {
      write_piece(std::span(small).first(used), wait, location);
      used = 0;
    }
    if (pieces.size() == 1 || piece.size() > small.size()) {
      write_piece(piece, wait, location);
    } else if (!piece.empty()) {
      std::memcpy(small.data() + used, piece.data(), piece.size());
      used += piece.size();
    }
  }
  write_piece(std::span(small).first(used), wait, location);
  flush(wait, location);
}

void TlsSession::shutdown_write(IoWait wait, SourceLocation location) {
  FifoLockRequest lock(write_lock_);
  acquire(lock, wait, location);
  handshake(wait, location);
  if (!close_notify_sent_) {
    clear_openssl_errors();
    const int result = SSL_shutdown(ssl_.get());
    if (result < 0) fail("shut down", result);
    close_notify_sent_ = true;
  }
  flush(wait, location);
}

void TlsSession::close() noexcept {
  if (closed_) return;
  closed_ = true;
  transport_.close();
}

}  // namespace trueasync::detail
