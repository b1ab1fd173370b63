#include "interpose/nonblocking.hpp"

#include <fcntl.h>

#include <cerrno>

namespace trueasync::detail::interpose {

namespace {

constinit std::mutex mutex;

}  // namespace

bool is_nonblocking(int fd) noexcept {
  const std::lock_guard lock(mutex);
  const int flags = ::fcntl(fd, F_GETFL);
  return flags == -1 || (flags & O_NONBLOCK);
}

NonBlockingGuard::NonBlockingGuard(int fd) noexcept
    : lock_(mutex), fd_(fd), flags_(::fcntl(fd, F_GETFL)), was_set_(flags_ == -1 || (flags_ & O_NONBLOCK)) {
  if (!was_set_) ::fcntl(fd_, F_SETFL, flags_ | O_NONBLOCK);
}

NonBlockingGuard::~NonBlockingGuard() {
  if (was_set_) return;
  const int error = errno;
  ::fcntl(fd_, F_SETFL, flags_);
  errno = error;
}

}  // namespace trueasync::detail::interpose
