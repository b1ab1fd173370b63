// flock, lockf, fcntl(F_SETLKW). Tried again and again with growing pauses: a lock that a thread got for somebody who has
// left would belong to nobody, and POSIX locks go when any descriptor of the file is closed, a thread's copy too. So a
// deadlock with another process is not found here (EDEADLK): both wait.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <optional>

#include "interpose/calls.hpp"
#include "interpose/fd_retry_wait.hpp"
#include "reactor/deadline_after.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

constexpr std::chrono::milliseconds kFirstPause{1};
constexpr std::chrono::milliseconds kLongestPause{16};

// `attempt` returns as the call does that does not wait.
template <class Attempt>
int lock_in(Scheduler& scheduler, const char* call, int fd, Attempt&& attempt) noexcept {
  const ErrnoGuard kept;
  std::optional<FdRetryWait> wait;
  for (auto pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    const int result = attempt();
    if (result == 0) kept.restore();
    if (result == 0 || (errno != EWOULDBLOCK && errno != EACCES && errno != EAGAIN)) {
      charge_nonblocking_call(scheduler, call);
      return result;
    }
    const TimePoint next = deadline_after(scheduler.reactor().now(), pause);
    if (!wait) wait.emplace(fd);
    if (wait->sleep(scheduler, call, next) != WaitResult::timed_out) return -1;
  }
}

}  // namespace

int flock(int fd, int operation) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || (operation & (LOCK_NB | LOCK_UN))) return ::flock(fd, operation);
  return lock_in(*scheduler, "flock", fd, [=] { return ::flock(fd, operation | LOCK_NB); });
}

int lockf(int fd, int command, off_t length) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || command != F_LOCK) return ::lockf(fd, command, length);
  return lock_in(*scheduler, "lockf", fd, [=] { return ::lockf(fd, F_TLOCK, length); });
}

int fcntl(int fd, int command, void* argument) noexcept {
  if (command != F_SETLKW && command != F_OFD_SETLKW) return ::fcntl(fd, command, argument);
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::fcntl(fd, command, argument);
  const int attempt = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
  return lock_in(*scheduler, "fcntl", fd, [=] { return ::fcntl(fd, attempt, argument); });
}

}  // namespace trueasync::detail::interpose::calls
