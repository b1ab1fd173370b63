#include "trueasync/io/tls.hpp"

#include "tls/openssl_error.hpp"
#include "tls/tls_context_state.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

namespace {

using detail::SslContext;
using detail::TlsContextState;

constexpr std::size_t kMaxAlpnName = 255;

[[noreturn]] void throw_tls_error(const std::string& operation) {
  throw TlsError(operation, detail::take_openssl_error());
}

std::string encode_alpn(const std::vector<std::string>& names) {
  std::string wire;
  for (const std::string& name : names) {
    if (name.empty() || name.size() > kMaxAlpnName) {
      throw MisuseError("ALPN name \"" + name + "\": the size must be 1 to 255 bytes (got " +
                        std::to_string(name.size()) + ")");
    }
    wire += static_cast<char>(name.size());
    wire += name;
  }
  return wire;
}

SslContext new_context(const SSL_METHOD* method, TlsVersion minimum) {
  detail::clear_openssl_errors();
  SslContext context(SSL_CTX_new(method));
  if (!context) throw_tls_error("create TLS context");
  SSL_CTX_set_min_proto_version(context.get(), minimum == TlsVersion::tls_1_3 ? TLS1_3_VERSION : TLS1_2_VERSION);
  // With renegotiation a write might have to wait for the peer.
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // Idle connections release their buffers. A write that is retried may pass another buffer with the same content.
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  return context;
}

void use_identity(SSL_CTX* context, const TlsIdentity& identity) {
  detail::clear_openssl_errors();
  if (SSL_CTX_use_certificate_chain_file(context, identity.certificate_file.c_str()) != 1) {
    throw_tls_error("read certificate " + identity.certificate_file);
  }
  if (SSL_CTX_use_PrivateKey_file(context, identity.key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
    throw_tls_error("read key " + identity.key_file);
  }
}

void load_trusted_certificates(SSL_CTX* context, const std::string& ca_file) {
  detail::clear_openssl_errors();
  const bool loaded = ca_file.empty() ? SSL_CTX_set_default_verify_paths(context) == 1
                                      : SSL_CTX_load_verify_file(context, ca_file.c_str()) == 1;
  if (!loaded) throw_tls_error("read certificates " + (ca_file.empty() ? std::string("of the system") : ca_file));
}

int select_alpn(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                unsigned int offered_size, void* argument) noexcept {
  const auto& state = *static_cast<const TlsContextState*>(argument);
  unsigned char* found = nullptr;
  const int result = SSL_select_next_proto(&found, size, reinterpret_cast<const unsigned char*>(state.alpn.data()),
                                           static_cast<unsigned int>(state.alpn.size()), offered, offered_size);
  if (result != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

int select_identity(SSL* ssl, int*, void* argument) noexcept {
  const auto& state = *static_cast<const TlsContextState*>(argument);
  const char* name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  if (!name) return SSL_TLSEXT_ERR_NOACK;
  const auto found = state.by_name.find(std::string_view(name));
  if (found != state.by_name.end()) SSL_set_SSL_CTX(ssl, found->second.get());
  return SSL_TLSEXT_ERR_OK;
}

SslContext new_server_context(const TlsServerOptions& options, const TlsIdentity& identity, TlsContextState& state) {
  SslContext context = new_context(TLS_server_method(), options.minimum);
  use_identity(context.get(), identity);
  static constexpr unsigned char kSessionContext[] = "trueasync";
  SSL_CTX_set_session_id_context(context.get(), kSessionContext, sizeof kSessionContext - 1);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context.get(), SSL_OP_CIPHER_SERVER_PREFERENCE);
  if (!options.client_ca_file.empty()) {
    load_trusted_certificates(context.get(), options.client_ca_file);
    SSL_CTX_set_client_CA_list(context.get(), SSL_load_client_CA_file(options.client_ca_file.c_str()));
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  if (!state.alpn.empty()) SSL_CTX_set_alpn_select_cb(context.get(), select_alpn, &state);
  return context;
}

}  // namespace

TlsContext TlsContext::client(const TlsClientOptions& options) {
  auto state = std::make_shared<TlsContextState>();
  state->context = new_context(TLS_client_method(), options.minimum);
  state->verifies = options.verify;
  SSL_CTX* context = state->context.get();
  if (options.verify) {
    load_trusted_certificates(context, options.ca_file);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  }
  if (!options.identity.certificate_file.empty()) use_identity(context, options.identity);
  state->alpn = encode_alpn(options.alpn);
  if (!state->alpn.empty() &&
      SSL_CTX_set_alpn_protos(context, reinterpret_cast<const unsigned char*>(state->alpn.data()),
                              static_cast<unsigned int>(state->alpn.size())) != 0) {
    throw_tls_error("create TLS context");
  }
  return TlsContext(std::move(state));
}

TlsContext TlsContext::server(const TlsServerOptions& options) {
  auto state = std::make_shared<TlsContextState>();
  state->is_server = true;
  state->verifies = !options.client_ca_file.empty();
  state->alpn = encode_alpn(options.alpn);
  state->context = new_server_context(options, options.identity, *state);
  for (const auto& [name, identity] : options.by_name) {
    state->by_name.emplace(name, new_server_context(options, identity, *state));
  }
  if (!state->by_name.empty()) {
    SSL_CTX_set_tlsext_servername_callback(state->context.get(), select_identity);
    SSL_CTX_set_tlsext_servername_arg(state->context.get(), state.get());
  }
  return TlsContext(std::move(state));
}

}  // namespace trueasync
