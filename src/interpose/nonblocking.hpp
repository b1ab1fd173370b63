// NonBlockingGuard: sets O_NONBLOCK for one system call that has no nonblocking variant. All users of the open file
// share the flag. A process-wide mutex hides the temporary change from is_nonblocking() on other threads.
#pragma once

#include <mutex>

namespace trueasync::detail::interpose {

// Returns true also for a closed number. Ignores the flag that a NonBlockingGuard has set.
bool is_nonblocking(int fd) noexcept;

class NonBlockingGuard {
 public:
  explicit NonBlockingGuard(int fd) noexcept;
  NonBlockingGuard(const NonBlockingGuard&) = delete;
  NonBlockingGuard& operator=(const NonBlockingGuard&) = delete;
  // Preserves errno.
  ~NonBlockingGuard();

  // Whether O_NONBLOCK was already set, or the number is not open.
  bool was_set() const noexcept { return was_set_; }

 private:
  std::unique_lock<std::mutex> lock_;
  int fd_;
  int flags_;
  bool was_set_;
};

}  // namespace trueasync::detail::interpose
