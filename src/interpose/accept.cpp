#include <sys/socket.h>

#include "interpose/calls.hpp"
#include "interpose/nonblocking.hpp"
#include "interpose/transfer.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

int try_accept(int fd, sockaddr* peer, socklen_t* length, int flags) noexcept {
  const NonBlockingGuard guard(fd);
  const socklen_t capacity = length ? *length : 0;
  const int accepted = ::accept4(fd, peer, length, flags);
  if (accepted < 0 && length) *length = capacity;
  return accepted;
}

int accept_suspending(Scheduler& scheduler, const char* call, int fd, sockaddr* peer, socklen_t* length,
                      int flags) noexcept {
  const ErrnoGuard errno_guard;
  BlockingWait wait(scheduler, call, fd, Side::in);
  for (;;) {
    if (TrackedDescriptor* descriptor = find_tracked(fd)) descriptor->before_attempt(Side::in);
    const int accepted = try_accept(fd, peer, length, flags);
    if (accepted >= 0 || !would_block(errno)) {
      if (accepted >= 0) errno_guard.restore();
      charge_nonblocking_call(scheduler, call);
      return accepted;
    }
    // Another process that uses this library may have set O_NONBLOCK temporarily. may_wait() reads the flag again.
    if (!wait.may_wait()) {
      charge_nonblocking_call(scheduler, call);
      return static_cast<int>(fail_would_block(scheduler, fd));
    }
    switch (wait.wait()) {
      case WaitResult::ready:
        break;
      case WaitResult::timed_out:
        errno = EAGAIN;
        return -1;
      case WaitResult::interrupted:
        return -1;
      case WaitResult::unsupported:
        return ::accept4(fd, peer, length, flags);
    }
  }
}

}  // namespace

int accept(int fd, sockaddr* peer, socklen_t* length) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  return scheduler ? accept_suspending(*scheduler, "accept", fd, peer, length, 0) : ::accept(fd, peer, length);
}

int accept4(int fd, sockaddr* peer, socklen_t* length, int flags) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  return scheduler ? accept_suspending(*scheduler, "accept4", fd, peer, length, flags)
                   : ::accept4(fd, peer, length, flags);
}

}  // namespace trueasync::detail::interpose::calls
