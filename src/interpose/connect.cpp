#include <sys/socket.h>

#include "interpose/calls.hpp"
#include "interpose/nonblocking.hpp"
#include "interpose/transfer.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

int try_connect(int fd, const sockaddr* address, socklen_t length, bool& was_nonblocking) noexcept {
  const NonBlocking guard(fd);
  was_nonblocking = guard.was_set();
  return ::connect(fd, address, length);
}

}  // namespace

// A second call on a socket that is being connected tells how that ended, and leaves the socket as a blocking call does.
int connect(int fd, const sockaddr* address, socklen_t length) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::connect(fd, address, length);
  const ErrnoGuard kept;
  BlockingWait wait(*scheduler, "connect", fd, Side::out);
  for (;;) {
    if (TrackedDescriptor* descriptor = find_tracked(fd)) {
      descriptor->before_attempt(Side::out);
      descriptor->clear_drained();
    }
    bool was_nonblocking = false;
    const int result = try_connect(fd, address, length, was_nonblocking);
    const bool is_under_way = result != 0 && (errno == EINPROGRESS || errno == EALREADY);
    const bool has_no_room = result != 0 && errno == EAGAIN;  // a unix socket whose listener is full
    if (was_nonblocking || (!is_under_way && !has_no_room)) {
      if (result == 0) kept.restore();
      charge_nonblocking_call(*scheduler, "connect");
      return result;
    }
    if (!wait.may_wait()) return -1;
    switch (has_no_room ? wait.wait_for_peer() : wait.wait()) {
      case WaitResult::ready:
        break;
      case WaitResult::timed_out:
        errno = has_no_room ? EAGAIN : EINPROGRESS;  // what the kernel says when SO_SNDTIMEO is over
        return -1;
      case WaitResult::interrupted:
        return -1;
      case WaitResult::unsupported:
        return ::connect(fd, address, length);
    }
  }
}

}  // namespace trueasync::detail::interpose::calls
