// Nonblocking transfers that do not change the descriptor's flags, because other processes may share them: sockets use
// MSG_DONTWAIT, pipes RWF_NOWAIT, other descriptors a poll() before the call.
//
// Errors: reported by results and errno; nothing throws.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include "interpose/blocking_wait.hpp"

namespace trueasync::detail::interpose {

inline bool would_block(int error) noexcept { return error == EAGAIN || error == EWOULDBLOCK; }

// Returns the kind for read() and write(). A closed number is a `file`, so that the original call reports EBADF.
DescriptorKind transfer_kind(int fd) noexcept;

// Whether a call failed because a tracked socket was closed without notification and its number reused. Abandons the
// table entry; the caller must restart the call.
bool is_stale_socket(ssize_t result, int fd) noexcept;

// One nonblocking attempt on a descriptor that is not a socket. Fails with EAGAIN if it would block. Writes of at most
// PIPE_BUF bytes to a pipe stay atomic.
ssize_t try_readv(DescriptorKind kind, int fd, const iovec* iovecs, int count) noexcept;
ssize_t try_writev(DescriptorKind kind, int fd, const iovec* iovecs, int count) noexcept;

// A message without address and control messages.
inline msghdr make_message(const iovec* iovecs, std::size_t count) noexcept {
  msghdr message = {};
  message.msg_iov = const_cast<iovec*>(iovecs);
  message.msg_iovlen = count;
  return message;
}

// Transfer: the progress, the waits and the result of a call that transfers data in several attempts.
class Transfer {
 public:
  Transfer(Scheduler& scheduler, const char* call, int fd, Side side) noexcept : wait_(scheduler, call, fd, side) {}

  // Returns the number of transferred bytes, or `fallback` if there are none. Restores errno on success.
  ssize_t result(ssize_t fallback) const noexcept {
    if (done != 0 || fallback >= 0) errno_guard_.restore();
    return done != 0 ? static_cast<ssize_t>(done) : fallback;
  }

  bool may_wait() noexcept { return wait_.may_wait(); }
  // Never returns timed_out: if the timeout of the socket expires, the call fails with EAGAIN.
  WaitResult wait() noexcept {
    const WaitResult waited = wait_.wait();
    if (waited != WaitResult::timed_out) return waited;
    errno = EAGAIN;
    return WaitResult::interrupted;
  }

  std::size_t done = 0;

 private:
  BlockingWait wait_;
  ErrnoGuard errno_guard_;
};

}  // namespace trueasync::detail::interpose
