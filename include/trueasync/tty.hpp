// tty.hpp: the size and raw mode of terminals.
//
// Thread safety: one runtime.
// Errors: IoError, with ENOTTY if the handle is not a terminal.
#pragma once

#include "trueasync/io.hpp"

namespace trueasync {

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
