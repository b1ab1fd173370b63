// What the program had installed for a signal before a loop began to watch it. libuv puts the default action back when
// its last handle goes; a program that ignored the signal, or had a handler of its own, must get that back instead.
// For a host, whose users have handlers of their own, these are called while the loop watches, too (SG-02).
//
// Owns: the saved dispositions, one per number, for the whole process: dispositions belong to it, not to a loop.
// Threads: any; a lock guards it.
#pragma once

#include <csignal>

namespace trueasync::detail {

// While handlers are exchanged this thread hears nothing of it: a signal waits, and is not lost.
class ScopedSignalBlock {
 public:
  explicit ScopedSignalBlock(int number) noexcept {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_BLOCK, &one, &before_);
  }
  ~ScopedSignalBlock() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  ScopedSignalBlock(const ScopedSignalBlock&) = delete;
  ScopedSignalBlock& operator=(const ScopedSignalBlock&) = delete;

 private:
  sigset_t before_;
};

// Saves what is installed for `number` unless a loop watches it already; before the loop installs its handler.
void save_disposition(int number) noexcept;
// After that, and when the program may have installed another: where signals are shared, both are called from now on.
void chain_user_handler(int number) noexcept;
// From now on, for the process: whatever handler the program has for a signal is called too when `has_handler`, asked
// inside a signal handler, says that it does something.
void enable_handler_chaining(bool (*has_handler)(int number)) noexcept;
// After the loop has taken its handler away. The last one puts back what was saved.
void restore_disposition(int number) noexcept;

}  // namespace trueasync::detail
