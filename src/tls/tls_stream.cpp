#include "tls/tls_session.hpp"
#include "trueasync/io/tls.hpp"

namespace trueasync {

namespace {

// Every operation holds a reference to the session: the stream may be destroyed concurrently.
using Session = std::shared_ptr<detail::TlsSession>;

detail::TlsSession& require_session(const Session& session) {
  if (!session) throw MisuseError("TlsStream: use of a moved-from stream");
  return *session;
}

std::string to_text(const char* text) { return text ? text : ""; }

}  // namespace

TlsStream::TlsStream(Stream& transport, const TlsContext& context, std::string host)
    : session_(std::make_shared<detail::TlsSession>(transport, nullptr, context, std::move(host))) {}

TlsStream::TlsStream(std::unique_ptr<Stream> transport, const TlsContext& context, std::string host) {
  if (!transport) throw MisuseError("TlsStream: the transport is null");
  Stream& stream = *transport;
  session_ = std::make_shared<detail::TlsSession>(stream, std::move(transport), context, std::move(host));
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

void TlsStream::handshake(WaitOptions options, SourceLocation location) {
  const Session session = session_;
  require_session(session).handshake(detail::start_wait(options), location);
}

std::size_t TlsStream::read_some(Bytes buffer, WaitOptions options, SourceLocation location) {
  const Session session = session_;
  return require_session(session).read_some(buffer, detail::start_wait(options), location);
}

std::size_t TlsStream::write_some(ConstBytes data, WaitOptions options, SourceLocation location) {
  const Session session = session_;
  return require_session(session).write_some(data, detail::start_wait(options), location);
}

void TlsStream::write_all(std::span<const ConstBytes> pieces, WaitOptions options, SourceLocation location) {
  const Session session = session_;
  require_session(session).write_all(pieces, detail::start_wait(options), location);
}

void TlsStream::shutdown_write(WaitOptions options, SourceLocation location) {
  const Session session = session_;
  require_session(session).shutdown_write(detail::start_wait(options), location);
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
  SSL_get0_alpn_selected(require_session(session_).ssl(), &name, &size);
  return std::string(reinterpret_cast<const char*>(name), size);
}

std::string TlsStream::version() const {
  SSL* ssl = require_session(session_).ssl();
  return SSL_is_init_finished(ssl) ? to_text(SSL_get_version(ssl)) : std::string();
}

std::string TlsStream::cipher() const {
  SSL* ssl = require_session(session_).ssl();
  return SSL_is_init_finished(ssl) ? to_text(SSL_get_cipher_name(ssl)) : std::string();
}

std::string TlsStream::peer_subject() const {
  X509* certificate = SSL_get0_peer_certificate(require_session(session_).ssl());
  if (!certificate) return {};
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), &BIO_free);
  if (!text) throw std::bad_alloc();
  X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* data = nullptr;
  const long size = BIO_get_mem_data(text.get(), &data);
  return std::string(data, static_cast<std::size_t>(size));
}

std::string TlsStream::server_name() const {
  return to_text(SSL_get_servername(require_session(session_).ssl(), TLSEXT_NAMETYPE_host_name));
}

}  // namespace trueasync
