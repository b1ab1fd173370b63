// Saves the program's signal dispositions while loops watch signals. libuv installs the default action when its last
// handle closes; a program that ignored the signal or had a handler must get its own disposition back instead. With
// handler chaining, user handlers are also called while a loop watches the signal.
//
// Ownership: one saved disposition per signal number for the whole process.
// Thread safety: any thread; guarded by a mutex.
#pragma once

#include <csignal>

namespace trueasync::detail {

// ScopedSignalBlock: blocks a signal on this thread while handlers are replaced. The signal stays pending and is not
// lost.
class ScopedSignalBlock {
 public:
  explicit ScopedSignalBlock(int number) noexcept {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~ScopedSignalBlock() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  ScopedSignalBlock(const ScopedSignalBlock&) = delete;
  ScopedSignalBlock& operator=(const ScopedSignalBlock&) = delete;

 private:
  sigset_t before_;
};

// Saves the disposition of `number` unless a loop already watches it. Call before the loop installs its handler.
void save_disposition(int number) noexcept;
// With chaining enabled, installs a handler that calls the user's and the loop's handler. Call after the loop has
// installed its handler, and again when the program may have installed another one.
void chain_user_handler(int number) noexcept;
// Enables chaining for the process. `has_handler` is called in a signal handler and returns whether to call the user's
// handler.
void enable_handler_chaining(bool (*has_handler)(int number)) noexcept;
// Call after the loop has removed its handler. The last call restores the saved disposition.
void restore_disposition(int number) noexcept;

}  // namespace trueasync::detail
