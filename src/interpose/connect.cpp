#include <sys/socket.h>

#include "interpose/calls.hpp"
#include "interpose/nonblocking.hpp"
#include "interpose/transfer.hpp"
#include "reactor/deadline_after.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

constexpr std::chrono::milliseconds kFirstPause{1};
constexpr std::chrono::milliseconds kLongestPause{16};

// The connection is being made: until it is, or is not.
int await_connection(Scheduler& scheduler, int fd) noexcept {
  BlockingWait wait(scheduler, "connect", fd, Side::out);
  while (!is_ready_now(fd, Side::out)) {
    if (!wait.may_wait()) return -1;
    switch (wait.wait()) {
      case Waited::ready:
        break;
      case Waited::timed_out:
        errno = EINPROGRESS;  // what the kernel says when SO_SNDTIMEO is over
        return -1;
      case Waited::ended:
      case Waited::impossible:
        return -1;
    }
  }
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return -1;
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

int connect(int fd, const sockaddr* address, socklen_t length) noexcept {
  Scheduler* scheduler = caller();
  if (!scheduler) return ::connect(fd, address, length);
  const KeepErrno kept;
  for (auto pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    if (Descriptor* descriptor = known(fd)) {
      descriptor->trying(Side::out);
      descriptor->note_rest();
    }
    int result = 0;
    bool was_nonblocking = false;
    {
      const NonBlocking guard(fd);
      result = ::connect(fd, address, length);
      was_nonblocking = guard.was_set();
    }
    const bool is_under_way = result != 0 && (errno == EINPROGRESS || errno == EALREADY);
    if (is_under_way && !was_nonblocking) {
      result = await_connection(*scheduler, fd);
      if (result == 0) kept.restore();
      return result;
    }
    if (result == 0 || was_nonblocking || errno != EAGAIN) {
      went_through(*scheduler, "connect");
      return result;
    }
    // A unix socket whose listener has no room: nothing tells when it has.
    if (sleep_in(*scheduler, "connect", deadline_after(scheduler->reactor().now(), pause)) != Waited::timed_out) {
      return -1;
    }
  }
}

}  // namespace trueasync::detail::interpose::calls
