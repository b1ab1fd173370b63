#include "interpose/transfer.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>

#include "interpose/remaining_iovecs.hpp"

namespace trueasync::detail::interpose {

namespace {

ssize_t fail_with_eagain() noexcept {
  errno = EAGAIN;
  return -1;
}

}  // namespace

DescriptorKind transfer_kind(int fd) noexcept {
  const ErrnoGuard errno_guard;
  // A tracked socket needs no fstat(): the transfer call reports ENOTSOCK if the number was reused.
  const TrackedDescriptor* descriptor = find_tracked(fd);
  const DescriptorKind kind = descriptor && is_socket(descriptor->kind()) ? descriptor->kind() : coarse_kind(fd);
  errno_guard.restore();
  return kind == DescriptorKind::bad ? DescriptorKind::file : kind;
}

bool is_stale_socket(ssize_t result, int fd) noexcept {
  if (result >= 0 || errno != ENOTSOCK) return false;
  if (auto* table = DescriptorTable::existing()) table->abandon(fd);
  return true;
}

ssize_t try_readv(DescriptorKind kind, int fd, const iovec* iovecs, int count) noexcept {
  if (kind == DescriptorKind::pipe) {
    const ssize_t got = ::preadv2(fd, iovecs, count, -1, RWF_NOWAIT);
    if (got >= 0 || errno != EOPNOTSUPP) return got;
  }
  return is_ready_now(fd, Side::in) ? ::readv(fd, iovecs, count) : fail_with_eagain();
}

ssize_t try_writev(DescriptorKind kind, int fd, const iovec* iovecs, int count) noexcept {
  if (kind == DescriptorKind::pipe) {
    const ssize_t written = ::pwritev2(fd, iovecs, count, -1, RWF_NOWAIT);
    if (written >= 0 || errno != EOPNOTSUPP) return written;
  }
  if (!is_ready_now(fd, Side::out)) return fail_with_eagain();
  const std::size_t size = total_size(iovecs, static_cast<std::size_t>(count));
  if (kind != DescriptorKind::pipe || size <= PIPE_BUF) return ::writev(fd, iovecs, count);
  // A writable pipe accepts PIPE_BUF bytes without blocking. Larger writes need not be atomic.
  for (const iovec* iov = iovecs; iov != iovecs + count; ++iov) {
    if (iov->iov_len != 0) return ::write(fd, iov->iov_base, std::min<std::size_t>(iov->iov_len, PIPE_BUF));
  }
  return 0;
}

}  // namespace trueasync::detail::interpose
