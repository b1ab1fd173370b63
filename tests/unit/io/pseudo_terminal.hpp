// PseudoTerminal: text that is typed at the master can be read from the slave.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <string>

namespace trueasync::test {

class PseudoTerminal {
 public:
  PseudoTerminal() : master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) std::abort();
    slave = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0) std::abort();
  }
  ~PseudoTerminal() {
    ::close(slave);
    ::close(master);
  }
  void type(const std::string& text) const {
    if (::write(master, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
  }
  termios mode() const {
    termios result = {};
    ::tcgetattr(slave, &result);
    return result;
  }
  bool is_raw() const { return (mode().c_lflag & ICANON) == 0; }

  int master;
  int slave;
};

}  // namespace trueasync::test
