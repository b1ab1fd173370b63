// How bytes are moved without blocking and without touching the descriptor's flags, which other processes may share:
// sockets by MSG_DONTWAIT, pipes by RWF_NOWAIT, the rest after a look at whether it is ready.
#pragma once

#include <sys/uio.h>

#include "interpose/readiness.hpp"

namespace trueasync::detail::interpose {

inline bool would_block(int code) noexcept { return code == EAGAIN || code == EWOULDBLOCK; }

// What read() and write() meet. `file` also for what is not open: the original says so.
DescriptorKind kind_for_transfer(int fd) noexcept;

// What was taken for a socket is none any more: closed behind our back. It is forgotten, and the call begins again.
bool is_mistaken(ssize_t result, int fd) noexcept;

// One try on what is no socket. EAGAIN: it would have blocked. A pipe takes PIPE_BUF bytes at once or nothing of them.
ssize_t try_readv(DescriptorKind kind, int fd, const iovec* pieces, int count) noexcept;
ssize_t try_writev(DescriptorKind kind, int fd, const iovec* pieces, int count) noexcept;

}  // namespace trueasync::detail::interpose
