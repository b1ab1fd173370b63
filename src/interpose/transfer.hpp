// How bytes are moved without blocking and without touching the descriptor's flags, which other processes may share:
// sockets by MSG_DONTWAIT, pipes by RWF_NOWAIT, the rest after a look at whether it is ready.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include "interpose/blocking_wait.hpp"

namespace trueasync::detail::interpose {

inline bool would_block(int code) noexcept { return code == EAGAIN || code == EWOULDBLOCK; }

// What read() and write() meet. `file` also for what is not open: the original says so.
DescriptorKind transfer_kind(int fd) noexcept;

// What was taken for a socket is none any more: closed behind our back. It is forgotten, and the call begins again.
bool is_stale_socket(ssize_t result, int fd) noexcept;

// One try on what is no socket. EAGAIN: it would have blocked. A pipe takes PIPE_BUF bytes at once or nothing of them.
ssize_t try_readv(DescriptorKind kind, int fd, const iovec* pieces, int count) noexcept;
ssize_t try_writev(DescriptorKind kind, int fd, const iovec* pieces, int count) noexcept;

// Bytes alone, without names and rights.
inline msghdr message_of(const iovec* pieces, std::size_t count) noexcept {
  msghdr message = {};
  message.msg_iov = const_cast<iovec*>(pieces);
  message.msg_iovlen = count;
  return message;
}

// A call that moves bytes in as many tries as it needs: what is done of it, the waits between, and what it returns.
class Transfer {
 public:
  Transfer(Scheduler& scheduler, const char* call, int fd, Side side) noexcept : wait_(scheduler, call, fd, side) {}

  // What ends a call early leaves the part that is done, and errno as it was; without one `otherwise` stands.
  ssize_t result(ssize_t otherwise) const noexcept {
    if (done != 0 || otherwise >= 0) kept_.restore();
    return done != 0 ? static_cast<ssize_t>(done) : otherwise;
  }

  bool may_wait() noexcept { return wait_.may_wait(); }
  // Never timed_out: a socket's own time limit ends the call with EAGAIN.
  WaitResult wait() noexcept {
    const WaitResult waited = wait_.wait();
    if (waited != WaitResult::timed_out) return waited;
    errno = EAGAIN;
    return WaitResult::interrupted;
  }

  std::size_t done = 0;

 private:
  BlockingWait wait_;
  ErrnoGuard kept_;
};

}  // namespace trueasync::detail::interpose
