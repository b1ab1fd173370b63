#include "trueasync/io/tls.hpp"

#include <cerrno>

namespace trueasync {

TlsError::TlsError(std::string operation, const std::string& message)
    : IoError(std::move(operation), EPROTO, message) {}
TlsError::~TlsError() = default;

TlsCertificateError::TlsCertificateError(std::string operation, const std::string& message, long reason)
    : TlsError(std::move(operation), message), reason_(reason) {}
TlsCertificateError::~TlsCertificateError() = default;

TlsTruncatedError::TlsTruncatedError(std::string operation)
    : TlsError(std::move(operation), "the connection was closed without close_notify") {}
TlsTruncatedError::~TlsTruncatedError() = default;

}  // namespace trueasync
