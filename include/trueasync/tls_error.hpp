// Errors of TLS. Each is an IoError with code() EPROTO, so that code which handles a broken connection handles these
// too; the text is OpenSSL's: "TLS handshake with example.org: certificate verify failed: certificate has expired".
// Threads: plain values.
#pragma once

#include <string>

#include "trueasync/export.hpp"
#include "trueasync/io_error.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT TlsError : public IoError {
 public:
  TlsError(std::string operation, const std::string& message);
  ~TlsError() override;
};

// The other side's certificate is not good: unknown issuer, wrong host, expired.
class TRUEASYNC_EXPORT TlsCertificateError : public TlsError {
 public:
  TlsCertificateError(std::string operation, const std::string& message, long reason);
  ~TlsCertificateError() override;
  // One of OpenSSL's X509_V_ERR_*.
  long reason() const noexcept { return reason_; }

 private:
  long reason_;
};

// The connection ended without the other side's goodbye (close_notify): what came may be cut off, by an accident or by
// an attacker. A clean end is a read of 0 bytes instead.
class TRUEASYNC_EXPORT TlsTruncatedError : public TlsError {
 public:
  explicit TlsTruncatedError(std::string operation);
  ~TlsTruncatedError() override;
};

}  // namespace trueasync
