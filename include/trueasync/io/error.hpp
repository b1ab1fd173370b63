// io/error.hpp: errors of I/O. Each has errno and the operation with its object: "connect 127.0.0.1:6379: Connection
// refused".
//
// Thread safety: plain values.
#pragma once

#include <cstddef>
#include <string>

#include "trueasync/error.hpp"
#include "trueasync/export.hpp"

namespace trueasync {

// IoError: an operation failed; code() is errno.
class TRUEASYNC_EXPORT IoError : public Error {
 public:
  // `operation` names the operation and its object, for example "read orders.csv".
  IoError(std::string operation, int code);
  IoError(std::string operation, int code, const std::string& message);
  ~IoError() override;
  int code() const noexcept { return code_; }
  const std::string& operation() const noexcept { return operation_; }

 private:
  std::string operation_;
  int code_;
};

// ClosedError: the handle was closed locally, before or during the operation. code() is EBADF.
class TRUEASYNC_EXPORT ClosedError : public IoError {
 public:
  explicit ClosedError(std::string operation);
  ~ClosedError() override;
};

// EndOfStreamError: the peer ended the stream before the requested data had arrived. No data is lost: the received()
// bytes are in the caller's buffer or still in the reader. code() is 0.
class TRUEASYNC_EXPORT EndOfStreamError : public IoError {
 public:
  EndOfStreamError(std::string operation, std::size_t received);
  ~EndOfStreamError() override;
  std::size_t received() const noexcept { return received_; }

 private:
  std::size_t received_;
};

}  // namespace trueasync
