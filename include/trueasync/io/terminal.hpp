// io/terminal.hpp: standard input, output and error as Io handles (files, pipes, sockets or terminals), and the size
// and raw mode of terminals.
//
// Every call creates a new handle. Create one handle per stream and share it, because operations are serialized per
// handle. Output of stdio and iostreams has separate buffers: flush them first. Writing to a closed pipe throws IoError
// with EPIPE and does not end the program.
//
// Ownership: its own descriptor; closing the handle leaves 0, 1 and 2 open. Terminals and pipes are reopened, so that
// O_NONBLOCK does not affect other processes that share them. Where that is not possible (sockets, no /proc), the
// shared descriptor is non-blocking until the process exits.
// Thread safety: one runtime.
// Errors: IoError with EBADF if the program was started with the descriptor closed.
#pragma once

#include "trueasync/io/io.hpp"

namespace trueasync {

TRUEASYNC_EXPORT Io standard_input();
TRUEASYNC_EXPORT Io standard_output();
TRUEASYNC_EXPORT Io standard_error();

// The functions below throw IoError with ENOTTY if the handle is not a terminal.

// TtySize: the size of a terminal in characters.
struct TtySize {
  unsigned columns = 0;
  unsigned rows = 0;
};

TRUEASYNC_EXPORT TtySize tty_size(const Io& terminal);

// RawModeSignals: whether Ctrl-C and similar keys send signals in raw mode.
enum class RawModeSignals : std::uint8_t {
  off,   // Ctrl-C is read as a byte
  keep,  // Ctrl-C and similar keys send their signals
};

// RawMode: delivers keys one by one, without echo, while it exists. The terminal is restored by the destructor, when
// the process exits, and when SIGINT, SIGTERM, SIGHUP or SIGQUIT ends a process that does not handle it; not by
// SIGKILL. Several instances may be destroyed in any order; the last one restores the terminal.
class TRUEASYNC_EXPORT RawMode {
 public:
  explicit RawMode(const Io& terminal, RawModeSignals signals = RawModeSignals::off);
  RawMode(const RawMode&) = delete;
  RawMode& operator=(const RawMode&) = delete;
  ~RawMode();

 private:
  int slot_;
};

}  // namespace trueasync
