// flock, lockf and fcntl(F_SETLKW): nonblocking attempts with exponential backoff. A blocking call on a helper thread
// could acquire a lock after its waiter was cancelled, and no code would release it. POSIX locks are also released when
// any descriptor of the file is closed, including a duplicate used by a thread. As a consequence, a deadlock with
// another process is not detected (no EDEADLK).
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <optional>

#include "interpose/calls.hpp"
#include "interpose/fd_retry_wait.hpp"
#include "reactor/timer_queue.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

constexpr std::chrono::milliseconds kInitialBackoff{1};
constexpr std::chrono::milliseconds kMaxBackoff{16};

// `attempt` makes the nonblocking variant of the call.
template <class Attempt>
int lock_with_backoff(Scheduler& scheduler, const char* call, int fd, Attempt&& attempt) noexcept {
  const ErrnoGuard errno_guard;
  std::optional<FdRetryWait> wait;
  for (auto backoff = kInitialBackoff;; backoff = std::min(backoff * 2, kMaxBackoff)) {
    const int result = attempt();
    if (result == 0) errno_guard.restore();
    if (result == 0 || (errno != EWOULDBLOCK && errno != EACCES && errno != EAGAIN)) {
      charge_nonblocking_call(scheduler, call);
      return result;
    }
    const TimePoint retry_at = deadline_after(scheduler.reactor().now(), backoff);
    if (!wait) wait.emplace(fd);
    if (wait->sleep(scheduler, call, retry_at) != WaitResult::timed_out) return -1;
  }
}

}  // namespace

int flock(int fd, int operation) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || (operation & (LOCK_NB | LOCK_UN))) return ::flock(fd, operation);
  return lock_with_backoff(*scheduler, "flock", fd, [=] { return ::flock(fd, operation | LOCK_NB); });
}

int lockf(int fd, int command, off_t length) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || command != F_LOCK) return ::lockf(fd, command, length);
  return lock_with_backoff(*scheduler, "lockf", fd, [=] { return ::lockf(fd, F_TLOCK, length); });
}

int fcntl(int fd, int command, void* argument) noexcept {
  if (command != F_SETLKW && command != F_OFD_SETLKW) return ::fcntl(fd, command, argument);
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::fcntl(fd, command, argument);
  const int attempt = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
  return lock_with_backoff(*scheduler, "fcntl", fd, [=] { return ::fcntl(fd, attempt, argument); });
}

}  // namespace trueasync::detail::interpose::calls
