#include <sys/socket.h>

#include "interpose/calls.hpp"
#include "interpose/nonblocking.hpp"
#include "interpose/transfer.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

int try_accept(int fd, sockaddr* peer, socklen_t* length, int flags) noexcept {
  const NonBlocking guard(fd);
  const socklen_t room = length ? *length : 0;
  const int accepted = ::accept4(fd, peer, length, flags);
  if (accepted < 0 && length) *length = room;
  return accepted;
}

int accept_in(Scheduler& scheduler, const char* call, int fd, sockaddr* peer, socklen_t* length, int flags) noexcept {
  const KeepErrno kept;
  BlockingWait wait(scheduler, call, fd, Side::in);
  for (;;) {
    if (Descriptor* descriptor = known(fd)) descriptor->trying(Side::in);
    const int accepted = try_accept(fd, peer, length, flags);
    if (accepted >= 0 || !would_block(errno)) {
      if (accepted >= 0) kept.restore();
      went_through(scheduler, call);
      return accepted;
    }
    // Another process that does as we do may have set the flag for a moment: may_wait() asks again.
    if (!wait.may_wait()) {
      went_through(scheduler, call);
      return static_cast<int>(say_nothing_now(scheduler, fd));
    }
    switch (wait.wait()) {
      case Waited::ready:
        break;
      case Waited::timed_out:
        errno = EAGAIN;
        return -1;
      case Waited::ended:
        return -1;
      case Waited::impossible:
        return ::accept4(fd, peer, length, flags);
    }
  }
}

}  // namespace

int accept(int fd, sockaddr* peer, socklen_t* length) noexcept {
  Scheduler* scheduler = caller();
  return scheduler ? accept_in(*scheduler, "accept", fd, peer, length, 0) : ::accept(fd, peer, length);
}

int accept4(int fd, sockaddr* peer, socklen_t* length, int flags) noexcept {
  Scheduler* scheduler = caller();
  return scheduler ? accept_in(*scheduler, "accept4", fd, peer, length, flags) : ::accept4(fd, peer, length, flags);
}

}  // namespace trueasync::detail::interpose::calls
