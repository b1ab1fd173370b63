#include "trueasync/io/terminal.hpp"

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
#include "trueasync/io/error.hpp"

namespace trueasync {

namespace {

std::string describe(const char* operation, const Io& terminal) {
  return std::string(operation) + " " + std::string(terminal.name());
}

// A terminal in raw mode. `fd` is set last and reset first, because the signal handler reads the entry without the
// mutex.
struct RawTerminal {
  std::atomic<int> fd{-1};
  dev_t device = 0;
  int users = 0;
  termios original = {};
};
constexpr int kMaxTerminals = 8;
std::array<RawTerminal, kMaxTerminals> raw_terminals;
std::mutex raw_mutex;

constexpr std::array kTerminatingSignals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// Async-signal-safe.
void restore_all() noexcept {
  for (RawTerminal& terminal : raw_terminals) {
    const int fd = terminal.fd.load();
    if (fd >= 0) ::tcsetattr(fd, TCSANOW, &terminal.original);
  }
}

void restore_and_raise(int signal) noexcept {
  restore_all();
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  ::raise(signal);
}

// Handles only signals with the default action: they would terminate the process without restoring the terminal.
void install_handlers() noexcept {
  for (int signal : kTerminatingSignals) {
    struct sigaction current = {};
    if (::sigaction(signal, nullptr, &current) != 0 || current.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = restore_and_raise;
    ::sigaction(signal, &action, nullptr);
  }
}

void remove_handlers() noexcept {
  for (int signal : kTerminatingSignals) {
    struct sigaction current = {};
    if (::sigaction(signal, nullptr, &current) != 0 || current.sa_handler != restore_and_raise) continue;
    current.sa_handler = SIG_DFL;
    ::sigaction(signal, &current, nullptr);
  }
}

bool any_raw() noexcept {
  for (const RawTerminal& terminal : raw_terminals) {
    if (terminal.users != 0) return true;
  }
  return false;
}

// The slot of the terminal or a free slot; -1 if all slots are in use.
int find_slot(dev_t device) noexcept {
  int free = -1;
  for (int i = 0; i < kMaxTerminals; ++i) {
    const RawTerminal& terminal = raw_terminals[static_cast<std::size_t>(i)];
    if (terminal.users != 0 && terminal.device == device) return i;
    if (terminal.users == 0) free = i;
  }
  return free;
}

}  // namespace

TtySize tty_size(const Io& terminal) {
  winsize size = {};
  if (::ioctl(terminal.descriptor(), TIOCGWINSZ, &size) != 0) throw IoError(describe("size of", terminal), errno);
  return {size.ws_col, size.ws_row};
}

RawMode::RawMode(const Io& terminal, RawModeSignals signals) {
  const std::string operation = describe("raw mode of", terminal);
  const int fd = terminal.descriptor();
  termios mode = {};
  struct stat status = {};
  if (::tcgetattr(fd, &mode) != 0 || ::fstat(fd, &status) != 0) throw IoError(operation, errno);
  const std::lock_guard lock(raw_mutex);
  static const bool registered = std::atexit(restore_all) == 0;
  (void)registered;
  slot_ = find_slot(status.st_rdev);
  if (slot_ < 0) throw IoError(operation, EMFILE);
  RawTerminal& raw = raw_terminals[static_cast<std::size_t>(slot_)];
  if (raw.users == 0) {
    // A duplicate: the handle may be closed before the mode is restored.
    const int duplicate = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (duplicate < 0) throw IoError(operation, errno);
    raw.device = status.st_rdev;
    raw.original = mode;
    raw.fd = duplicate;
    install_handlers();
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
  if (!any_raw()) remove_handlers();
}

}  // namespace trueasync
