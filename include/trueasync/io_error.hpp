// Errors of I/O. Every one carries errno and the operation with its object: "connect 127.0.0.1:6379: Connection
// refused". Threads: plain values.
#pragma once

#include <cstddef>
#include <string>

#include "trueasync/error.hpp"
#include "trueasync/export.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT IoError : public Error {
 public:
  // `operation` names what was tried, and on what: "read orders.csv".
  IoError(std::string operation, int code);
  IoError(std::string operation, int code, const std::string& message);
  ~IoError() override;
  int code() const noexcept { return code_; }
  const std::string& operation() const noexcept { return operation_; }

 private:
  std::string operation_;
  int code_;
};

// The handle was closed on our side, before the operation or while it waited. code() is EBADF.
class TRUEASYNC_EXPORT ClosedError : public IoError {
 public:
  explicit ClosedError(std::string operation);
  ~ClosedError() override;
};

// The other side ended the stream before all that was asked for had come. Nothing is lost: what came is in the caller's
// buffer (`received()` bytes of it), or still in the reader. code() is 0.
class TRUEASYNC_EXPORT EndOfStreamError : public IoError {
 public:
  EndOfStreamError(std::string operation, std::size_t received);
  ~EndOfStreamError() override;
  std::size_t received() const noexcept { return received_; }

 private:
  std::size_t received_;
};

}  // namespace trueasync
