#include "trueasync/stdio.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "trueasync/io_error.hpp"

namespace trueasync {

namespace {

// Flags of descriptors that had to be made non-blocking although others share them; -1: not touched.
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
  int untouched = -1;
  original_flags[static_cast<std::size_t>(fd)].compare_exchange_strong(untouched, flags);
}

bool can_be_opened_anew(int fd) noexcept {
  struct stat status = {};
  return ::isatty(fd) || (::fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode));
}

// Another open file for the same terminal or pipe: O_NONBLOCK on it is ours alone. -1 when it can't be had.
int open_anew(int fd, int flags) noexcept {
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  return ::open(path.c_str(), (flags & O_ACCMODE) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

Io standard(int fd, const char* name) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) throw IoError(std::string("open ") + name, errno);
  int own = can_be_opened_anew(fd) ? open_anew(fd, flags) : -1;
  if (own < 0) {
    own = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0) throw IoError(std::string("open ") + name, errno);
    struct stat status = {};
    const bool shared = ::fstat(own, &status) == 0 && (S_ISSOCK(status.st_mode) || can_be_opened_anew(own));
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

Io standard_input() { return standard(STDIN_FILENO, "standard input"); }
Io standard_output() { return standard(STDOUT_FILENO, "standard output"); }
Io standard_error() { return standard(STDERR_FILENO, "standard error"); }

}  // namespace trueasync
