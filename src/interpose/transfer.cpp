#include "interpose/transfer.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>

#include "interpose/remaining_iovecs.hpp"

namespace trueasync::detail::interpose {

namespace {

ssize_t nothing_now() noexcept {
  errno = EAGAIN;
  return -1;
}

}  // namespace

DescriptorKind transfer_kind(int fd) noexcept {
  const ErrnoGuard kept;
  // Of a socket the call itself says when it is none any more.
  const TrackedDescriptor* descriptor = find_tracked(fd);
  const DescriptorKind kind = descriptor && is_socket(descriptor->kind()) ? descriptor->kind() : coarse_kind(fd);
  kept.restore();
  return kind == DescriptorKind::bad ? DescriptorKind::file : kind;
}

bool is_stale_socket(ssize_t result, int fd) noexcept {
  if (result >= 0 || errno != ENOTSOCK) return false;
  if (auto* table = DescriptorTable::existing()) table->abandon(fd);
  return true;
}

ssize_t try_readv(DescriptorKind kind, int fd, const iovec* pieces, int count) noexcept {
  if (kind == DescriptorKind::pipe) {
    const ssize_t got = ::preadv2(fd, pieces, count, -1, RWF_NOWAIT);
    if (got >= 0 || errno != EOPNOTSUPP) return got;
  }
  return is_ready_now(fd, Side::in) ? ::readv(fd, pieces, count) : nothing_now();
}

ssize_t try_writev(DescriptorKind kind, int fd, const iovec* pieces, int count) noexcept {
  if (kind == DescriptorKind::pipe) {
    const ssize_t taken = ::pwritev2(fd, pieces, count, -1, RWF_NOWAIT);
    if (taken >= 0 || errno != EOPNOTSUPP) return taken;
  }
  if (!is_ready_now(fd, Side::out)) return nothing_now();
  const std::size_t size = size_of(pieces, static_cast<std::size_t>(count));
  if (kind != DescriptorKind::pipe || size <= PIPE_BUF) return ::writev(fd, pieces, count);
  // So much a pipe with room takes without blocking; more need not be in one piece.
  for (const iovec* piece = pieces; piece != pieces + count; ++piece) {
    if (piece->iov_len != 0) return ::write(fd, piece->iov_base, std::min<std::size_t>(piece->iov_len, PIPE_BUF));
  }
  return 0;
}

}  // namespace trueasync::detail::interpose
