#include <sys/socket.h>

#include "interpose/calls.hpp"
#include "interpose/nonblocking.hpp"
#include "interpose/transfer.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

int try_connect(int fd, const sockaddr* address, socklen_t length, bool& was_nonblocking) noexcept {
  const NonBlockingGuard guard(fd);
  was_nonblocking = guard.was_set();
  return ::connect(fd, address, length);
}

}  // namespace

// Retrying connect() on a socket with a connection in progress returns the result of that connection. The socket then
// has the same state as after a blocking call.
int connect(int fd, const sockaddr* address, socklen_t length) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::connect(fd, address, length);
  const ErrnoGuard errno_guard;
  BlockingWait wait(*scheduler, "connect", fd, Side::out);
  for (;;) {
    if (TrackedDescriptor* descriptor = find_tracked(fd)) {
      descriptor->before_attempt(Side::out);
      descriptor->clear_drained();
    }
    bool was_nonblocking = false;
    const int result = try_connect(fd, address, length, was_nonblocking);
    const bool is_in_progress = result != 0 && (errno == EINPROGRESS || errno == EALREADY);
    const bool is_backlog_full = result != 0 && errno == EAGAIN;  // unix sockets only
    if (was_nonblocking || (!is_in_progress && !is_backlog_full)) {
      if (result == 0) errno_guard.restore();
      charge_nonblocking_call(*scheduler, "connect");
      return result;
    }
    if (!wait.may_wait()) return -1;
    switch (is_backlog_full ? wait.wait_for_peer() : wait.wait()) {
      case WaitResult::ready:
        break;
      case WaitResult::timed_out:
        errno = is_backlog_full ? EAGAIN : EINPROGRESS;  // as the kernel does when SO_SNDTIMEO expires
        return -1;
      case WaitResult::interrupted:
        return -1;
      case WaitResult::unsupported:
        return ::connect(fd, address, length);
    }
  }
}

}  // namespace trueasync::detail::interpose::calls
