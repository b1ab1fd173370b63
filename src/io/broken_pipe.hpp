// A pipe or socket whose other end has gone kills the process by default; for us that is an error of the write. Where a
// call has no flag for it the signal is ignored from then on, unless the program has a handler of its own.
#pragma once

#include <csignal>

namespace trueasync::detail {

inline void ignore_broken_pipes() {
  static const bool done = [] {
    struct sigaction present = {};
    if (::sigaction(SIGPIPE, nullptr, &present) == 0 && present.sa_handler == SIG_DFL) ::signal(SIGPIPE, SIG_IGN);
    return true;
  }();
  (void)done;
}

}  // namespace trueasync::detail
