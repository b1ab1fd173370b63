#include "io/connect_attempt.hpp"

#include <sys/socket.h>

#include <cerrno>

#include "io/socket.hpp"

namespace trueasync::detail {

ConnectAttempt::ConnectAttempt(const Address& address, const ConnectOptions& options) : address_(address) {
  const std::string name = address.to_string();
  const std::string operation = "connect " + name;
  UniqueFd opened = open_socket(address, SOCK_STREAM, operation);
  apply(options.socket, opened.get(), address.family(), operation);
  if (!options.local.empty()) bind_socket(opened.get(), options.local, operation);
  const IoKind kind = stream_kind(address);
  handle_ = Ref<StreamHandle>::adopt(new StreamHandle(kind, opened.get(), name, poll_mode_for(kind)));
  opened.release();
}

int ConnectAttempt::begin() noexcept {
  if (::connect(handle_->descriptor(), address_.data(), address_.size()) == 0) return 0;
  return errno == EINTR ? EINPROGRESS : errno;
}

int ConnectAttempt::finish() noexcept {
  int code = 0;
  socklen_t size = sizeof code;
  if (::getsockopt(handle_->descriptor(), SOL_SOCKET, SO_ERROR, &code, &size) != 0) return errno;
  return code;
}

}  // namespace trueasync::detail
