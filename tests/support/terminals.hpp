// Skips a test on a machine without pseudo-terminals, such as a chroot in which devpts is not mounted.
#pragma once

#include <pty.h>
#include <unistd.h>

namespace trueasync::test {

inline bool has_pseudo_terminals() {
  int master = -1;
  int slave = -1;
  if (::openpty(&master, &slave, nullptr, nullptr, nullptr) != 0) return false;
  ::close(slave);
  ::close(master);
  return true;
}

}  // namespace trueasync::test

#define TRUEASYNC_SKIP_WITHOUT_TERMINALS() \
  if (!::trueasync::test::has_pseudo_terminals()) GTEST_SKIP() << "no pseudo-terminals: /dev/pts is not mounted"
