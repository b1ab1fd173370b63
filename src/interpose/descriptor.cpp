#include "interpose/descriptor.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trueasync::detail::interpose {

namespace {

int socket_option(int fd, int option) noexcept {
  int value = 0;
  socklen_t size = sizeof value;
  return ::getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

DescriptorKind socket_kind(int fd) noexcept {
  const int domain = socket_option(fd, SO_DOMAIN);
  const int type = socket_option(fd, SO_TYPE);
  if (type == SOCK_STREAM && (domain == AF_INET || domain == AF_INET6)) return DescriptorKind::tcp;
  return domain == AF_UNIX && type == SOCK_DGRAM ? DescriptorKind::datagram : DescriptorKind::socket;
}

// The device number of all unnamed pipes.
dev_t find_pipe_device() noexcept {
  int ends[2];
  if (::pipe(ends) != 0) return 0;
  struct stat state = {};
  const bool has_state = ::fstat(ends[0], &state) == 0;
  ::close(ends[0]);
  ::close(ends[1]);
  return has_state ? state.st_dev : 0;
}

DescriptorKind to_coarse_kind(const struct stat& state) noexcept {
  switch (state.st_mode & S_IFMT) {
    case S_IFSOCK:
      return DescriptorKind::socket;
    case S_IFIFO: {
      static const dev_t pipe_device = find_pipe_device();
      return state.st_dev == pipe_device ? DescriptorKind::pipe : DescriptorKind::other;
    }
    case S_IFREG:
    case S_IFDIR:
    case S_IFBLK:
      return DescriptorKind::file;
    default:
      return DescriptorKind::other;
  }
}

}  // namespace

DescriptorKind coarse_kind(int fd) noexcept {
  struct stat state = {};
  return ::fstat(fd, &state) == 0 ? to_coarse_kind(state) : DescriptorKind::bad;
}

FileIdentity FileIdentity::of(int fd) noexcept {
  struct stat state = {};
  if (::fstat(fd, &state) != 0) return {};
  const DescriptorKind kind = to_coarse_kind(state);
  return {state.st_dev, state.st_ino, kind == DescriptorKind::socket ? socket_kind(fd) : kind};
}

bool FileIdentity::matches(int fd) const noexcept {
  struct stat state = {};
  return ::fstat(fd, &state) == 0 && state.st_dev == device && state.st_ino == node;
}

bool TrackedDescriptor::ensure_registered(Reactor& reactor) noexcept {
  if (registration_) return true;
  try {
    Ref<DescriptorRegistration> registration = reactor.new_registration(fd_, PollMode::edge);
    in_ = registration->readable_queue();
    out_ = registration->writable_queue();
    if (!in_ || !out_) return false;
    registration_ = std::move(registration);
    return true;
  } catch (...) {
    return false;  // a simulated reactor, or memory is exhausted
  }
}

void TrackedDescriptor::close() noexcept {
  is_closed_ = true;
  is_drained_ = false;
  if (registration_) registration_->close(nullptr);
}

Ref<DescriptorRegistration> TrackedDescriptor::abandon() noexcept {
  is_drained_ = false;
  if (registration_) registration_->abandon();
  return registration_;
}

}  // namespace trueasync::detail::interpose
