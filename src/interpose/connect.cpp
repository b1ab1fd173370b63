#include <sys/socket.h>

#include "interpose/calls.hpp"
#include "interpose/nonblocking.hpp"
#include "interpose/transfer.hpp"
#include "reactor/deadline_after.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

constexpr std::chrono::milliseconds kFirstPause{1};
constexpr std::chrono::milliseconds kLongestPause{16};

int try_connect(int fd, const sockaddr* address, socklen_t length, bool& was_nonblocking) noexcept {
  const NonBlocking guard(fd);
  was_nonblocking = guard.was_set();
  return ::connect(fd, address, length);
}

}  // namespace

// A second call on a socket that is being connected tells how that ended, and leaves the socket as a blocking call does.
int connect(int fd, const sockaddr* address, socklen_t length) noexcept {
  Scheduler* scheduler = caller();
  if (!scheduler) return ::connect(fd, address, length);
  const KeepErrno kept;
  BlockingWait wait(*scheduler, "connect", fd, Side::out);
  for (auto pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    if (Descriptor* descriptor = known(fd)) {
      descriptor->trying(Side::out);
      descriptor->note_rest();
    }
    bool was_nonblocking = false;
    const int result = try_connect(fd, address, length, was_nonblocking);
    const bool is_under_way = result != 0 && (errno == EINPROGRESS || errno == EALREADY);
    const bool has_no_room = result != 0 && errno == EAGAIN;  // a unix socket whose listener is full
    if (was_nonblocking || (!is_under_way && !has_no_room)) {
      if (result == 0) kept.restore();
      went_through(*scheduler, "connect");
      return result;
    }
    if (has_no_room) {  // nothing tells when there is
      const TimePoint next = deadline_after(scheduler->reactor().now(), pause);
      if (sleep_in(*scheduler, "connect", next) != Waited::timed_out) return -1;
      continue;
    }
    if (!wait.may_wait()) return -1;
    switch (wait.wait()) {
      case Waited::ready:
        break;
      case Waited::timed_out:
        errno = EINPROGRESS;  // what the kernel says when SO_SNDTIMEO is over
        return -1;
      case Waited::ended:
        return -1;
      case Waited::impossible:
        return ::connect(fd, address, length);
    }
  }
}

}  // namespace trueasync::detail::interpose::calls
