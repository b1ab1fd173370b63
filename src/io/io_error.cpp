#include "trueasync/io/error.hpp"

#include <cerrno>
#include <cstring>

namespace trueasync {

IoError::IoError(std::string operation, int code) : IoError(operation, code, std::strerror(code)) {}

IoError::IoError(std::string operation, int code, const std::string& message)
    : Error(operation + ": " + message), operation_(std::move(operation)), code_(code) {}

IoError::~IoError() = default;

ClosedError::ClosedError(std::string operation) : IoError(std::move(operation), EBADF, "the handle is closed") {}

ClosedError::~ClosedError() = default;

EndOfStreamError::EndOfStreamError(std::string operation, std::size_t received)
    : IoError(std::move(operation), 0, "the stream ended after " + std::to_string(received) + " bytes"),
      received_(received) {}

EndOfStreamError::~EndOfStreamError() = default;

}  // namespace trueasync
