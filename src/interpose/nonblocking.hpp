// O_NONBLOCK for the time of one call, where the call itself can't be told not to wait. The flag is shared by all who have
// the file open; on threads of this process nobody of us asks for it meanwhile.
#pragma once

#include <mutex>

namespace trueasync::detail::interpose {

// Also when it is not open. Not what NonBlocking has set.
bool is_nonblocking(int fd) noexcept;

class NonBlocking {
 public:
  explicit NonBlocking(int fd) noexcept;
  NonBlocking(const NonBlocking&) = delete;
  NonBlocking& operator=(const NonBlocking&) = delete;
  // Leaves errno as it is.
  ~NonBlocking();

  // It was so before, or the descriptor is not open.
  bool was_set() const noexcept { return was_set_; }

 private:
  std::unique_lock<std::mutex> lock_;
  int fd_;
  int flags_;
  bool was_set_;
};

}  // namespace trueasync::detail::interpose
