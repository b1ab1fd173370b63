#include "trueasync/tty.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <mutex>

#include "trueasync/error.hpp"
#include "trueasync/io_error.hpp"

namespace trueasync {

namespace {

std::string about(const char* what, const Io& terminal) {
  return std::string(what) + " " + std::string(terminal.name());
}

// Terminals in raw mode. `fd` is the last thing set and the first taken back: a signal handler looks at it alone.
struct RawTerminal {
  std::atomic<int> fd{-1};
  dev_t device = 0;
  int users = 0;
  termios original = {};
};
constexpr int kTerminalsMax = 8;
std::array<RawTerminal, kTerminalsMax> raw_terminals;
std::mutex raw_mutex;

constexpr std::array kEndingSignals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// Async-signal-safe.
void restore_all() noexcept {
  for (RawTerminal& terminal : raw_terminals) {
    const int fd = terminal.fd.load();
    if (fd >= 0) ::tcsetattr(fd, TCSANOW, &terminal.original);
  }
}

void restore_and_end(int signal) noexcept {
  restore_all();
  struct sigaction ending = {};
  ending.sa_handler = SIG_DFL;
  ::sigaction(signal, &ending, nullptr);
  ::raise(signal);
}

// Only what would end the process without a word is caught.
void catch_signals() noexcept {
  for (int signal : kEndingSignals) {
    struct sigaction present = {};
    if (::sigaction(signal, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) continue;
    struct sigaction ours = {};
    ours.sa_handler = restore_and_end;
    ::sigaction(signal, &ours, nullptr);
  }
}

void let_signals_go() noexcept {
  for (int signal : kEndingSignals) {
    struct sigaction present = {};
    if (::sigaction(signal, nullptr, &present) != 0 || present.sa_handler != restore_and_end) continue;
    present.sa_handler = SIG_DFL;
    ::sigaction(signal, &present, nullptr);
  }
}

bool any_raw() noexcept {
  for (const RawTerminal& terminal : raw_terminals) {
    if (terminal.users != 0) return true;
  }
  return false;
}

// The terminal's place, or a free one; -1 when there is none.
int slot_of(dev_t device) noexcept {
  int free = -1;
  for (int i = 0; i < kTerminalsMax; ++i) {
    const RawTerminal& terminal = raw_terminals[static_cast<std::size_t>(i)];
    if (terminal.users != 0 && terminal.device == device) return i;
    if (terminal.users == 0) free = i;
  }
  return free;
}

}  // namespace

TtySize tty_size(const Io& terminal) {
  winsize size = {};
  if (::ioctl(terminal.descriptor(), TIOCGWINSZ, &size) != 0) throw IoError(about("size of", terminal), errno);
  return {size.ws_col, size.ws_row};
}

RawMode::RawMode(const Io& terminal, RawModeSignals signals) {
  const std::string what = about("raw mode of", terminal);
  const int fd = terminal.descriptor();
  termios mode = {};
  struct stat status = {};
  if (::tcgetattr(fd, &mode) != 0 || ::fstat(fd, &status) != 0) throw IoError(what, errno);
  const std::lock_guard lock(raw_mutex);
  static const bool registered = std::atexit(restore_all) == 0;
  (void)registered;
  slot_ = slot_of(status.st_rdev);
  if (slot_ < 0) throw IoError(what, EMFILE);
  RawTerminal& raw = raw_terminals[static_cast<std::size_t>(slot_)];
  if (raw.users == 0) {
    // A descriptor of its own: the handle may be closed before the mode is set back.
    const int own = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0) throw IoError(what, errno);
    raw.device = status.st_rdev;
    raw.original = mode;
    raw.fd = own;
    catch_signals();
  }
  ++raw.users;
  ::cfmakeraw(&mode);
  if (signals == RawModeSignals::keep) mode.c_lflag |= ISIG;
  ::tcsetattr(fd, TCSANOW, &mode);
}

RawMode::~RawMode() {
  const std::lock_guard lock(raw_mutex);
  RawTerminal& raw = raw_terminals[static_cast<std::size_t>(slot_)];
  if (--raw.users != 0) return;
  const int fd = raw.fd.load();
  ::tcsetattr(fd, TCSANOW, &raw.original);
  raw.fd = -1;
  ::close(fd);
  if (!any_raw()) let_signals_go();
}

}  // namespace trueasync
