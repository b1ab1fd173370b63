// tls_error.hpp: errors of TLS. Each is an IoError with code() EPROTO, so code that handles broken connections handles
// them too. The message is OpenSSL's: "TLS handshake with example.org: certificate verify failed: certificate has
// expired".
//
// Thread safety: plain values.
#pragma once

#include <string>

#include "trueasync/export.hpp"
#include "trueasync/io_error.hpp"

namespace trueasync {

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

}  // namespace trueasync
