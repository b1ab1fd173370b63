#include "tls/tls_session.hpp"
#include "trueasync/tls.hpp"

namespace trueasync {

namespace {

// Every operation keeps the session: the stream may be dropped under it.
using Session = std::shared_ptr<detail::TlsSession>;

detail::TlsSession& checked(const Session& session) {
  if (!session) throw MisuseError("this TlsStream was moved from");
  return *session;
}

std::string text_of(const char* text) { return text ? text : ""; }

}  // namespace

TlsStream::TlsStream(Stream& transport, const TlsContext& context, std::string host)
    : session_(std::make_shared<detail::TlsSession>(transport, nullptr, context, std::move(host))) {}

TlsStream::TlsStream(std::unique_ptr<Stream> transport, const TlsContext& context, std::string host) {
  if (!transport) throw MisuseError("TLS needs a stream to work on; this one is null");
  Stream& there = *transport;
  session_ = std::make_shared<detail::TlsSession>(there, std::move(transport), context, std::move(host));
}

TlsStream::TlsStream(TlsStream&& other) noexcept = default;

TlsStream& TlsStream::operator=(TlsStream&& other) noexcept {
  TlsStream old(std::move(*this));
  session_ = std::move(other.session_);
  return *this;
}

TlsStream::~TlsStream() {
  if (session_ && session_->owns_transport()) session_->close();
}

void TlsStream::handshake(Limit timeout, SourceLocation location) {
  const Session session = session_;
  checked(session).handshake(detail::to_deadline(timeout), location);
}

std::size_t TlsStream::read(Bytes buffer, Limit timeout, SourceLocation location) {
  const Session session = session_;
  return checked(session).read(buffer, detail::to_deadline(timeout), location);
}

std::size_t TlsStream::write_some(ConstBytes data, Limit timeout, SourceLocation location) {
  const Session session = session_;
  return checked(session).write_some(data, detail::to_deadline(timeout), location);
}

void TlsStream::write(ConstBytes data, Limit timeout, SourceLocation location) {
  write_vectored(std::span(&data, 1), timeout, location);
}

void TlsStream::write_vectored(std::span<const ConstBytes> pieces, Limit timeout, SourceLocation location) {
  const Session session = session_;
  checked(session).write(pieces, detail::to_deadline(timeout), location);
}

void TlsStream::shutdown_write(Limit timeout, SourceLocation location) {
  const Session session = session_;
  checked(session).shutdown_write(detail::to_deadline(timeout), location);
}

void TlsStream::close() noexcept {
  if (session_) session_->close();
}

std::string_view TlsStream::name() const noexcept {
  return session_ ? std::string_view(session_->name()) : std::string_view();
}

std::uint64_t TlsStream::bytes_read() const noexcept { return session_ ? session_->bytes_read() : 0; }
std::uint64_t TlsStream::bytes_written() const noexcept { return session_ ? session_->bytes_written() : 0; }

std::string TlsStream::alpn() const {
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(checked(session_).ssl(), &name, &size);
  return std::string(reinterpret_cast<const char*>(name), size);
}

std::string TlsStream::version() const {
  SSL* ssl = checked(session_).ssl();
  return SSL_is_init_finished(ssl) ? text_of(SSL_get_version(ssl)) : std::string();
}

std::string TlsStream::cipher() const {
  SSL* ssl = checked(session_).ssl();
  return SSL_is_init_finished(ssl) ? text_of(SSL_get_cipher_name(ssl)) : std::string();
}

std::string TlsStream::peer_subject() const {
  X509* certificate = SSL_get0_peer_certificate(checked(session_).ssl());
  if (!certificate) return {};
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), &BIO_free);
  if (!text) throw std::bad_alloc();
  X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* data = nullptr;
  const long size = BIO_get_mem_data(text.get(), &data);
  return std::string(data, static_cast<std::size_t>(size));
}

std::string TlsStream::server_name() const {
  return text_of(SSL_get_servername(checked(session_).ssl(), TLSEXT_NAMETYPE_host_name));
}

}  // namespace trueasync
