// Terminals: size and raw mode.
//
// Threads: the runtime's. Errors: IoError; ENOTTY for what is no terminal.
#pragma once

#include "trueasync/io.hpp"

namespace trueasync {

struct TtySize {
  unsigned columns = 0;
  unsigned rows = 0;
};

TRUEASYNC_EXPORT TtySize tty_size(const Io& terminal);

enum class RawModeSignals : std::uint8_t {
  off,   // Ctrl-C is a byte like any other
  keep,  // Ctrl-C and the like still send their signals
};

// Keys one by one, without echo, as long as it lives. The terminal is set back by the destructor; also when the process
// exits, or is ended by SIGINT, SIGTERM, SIGHUP or SIGQUIT while the program has no handler for it – not by SIGKILL.
// Several at once end in any order; the terminal is as it was when the last one has gone.
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
