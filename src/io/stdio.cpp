#include "trueasync/io/terminal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "trueasync/io/error.hpp"

namespace trueasync {

namespace {

// Original flags of standard descriptors that were made non-blocking although other processes share them; -1:
// unchanged.
std::array<std::atomic<int>, 3> original_flags{-1, -1, -1};

void restore_flags() noexcept {
  for (int fd = 0; fd < 3; ++fd) {
    const int flags = original_flags[static_cast<std::size_t>(fd)].exchange(-1);
    if (flags != -1) ::fcntl(fd, F_SETFL, flags);
  }
}

void restore_at_exit(int fd, int flags) {
  static const bool registered = std::atexit(restore_flags) == 0;
  (void)registered;
  int unchanged = -1;
  original_flags[static_cast<std::size_t>(fd)].compare_exchange_strong(unchanged, flags);
}

bool can_reopen(int fd) noexcept {
  struct stat status = {};
  return ::isatty(fd) || (::fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode));
}

// Opens the same terminal or pipe again, so that O_NONBLOCK does not affect other processes. -1 on failure.
int reopen(int fd, int flags) noexcept {
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  return ::open(path.c_str(), (flags & O_ACCMODE) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

Io open_standard_stream(int fd, const char* name) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) throw IoError(std::string("open ") + name, errno);
  int own = can_reopen(fd) ? reopen(fd, flags) : -1;
  if (own < 0) {
    own = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0) throw IoError(std::string("open ") + name, errno);
    struct stat status = {};
    const bool shared = ::fstat(own, &status) == 0 && (S_ISSOCK(status.st_mode) || can_reopen(own));
    if (shared && !(flags & O_NONBLOCK)) restore_at_exit(fd, flags);
  }
  try {
    return Io::adopt(own, name);
  } catch (...) {
    ::close(own);
    throw;
  }
}

}  // namespace

Io standard_input() { return open_standard_stream(STDIN_FILENO, "standard input"); }
Io standard_output() { return open_standard_stream(STDOUT_FILENO, "standard output"); }
Io standard_error() { return open_standard_stream(STDERR_FILENO, "standard error"); }

}  // namespace trueasync
