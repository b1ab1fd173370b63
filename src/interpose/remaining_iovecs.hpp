// RemainingIovecs: the iovecs of a transfer after a part of it is done. A copy, because the caller's list must not
// change.
//
// Ownership: owns the list, not the buffers.
// Errors: the constructor throws std::bad_alloc.
#pragma once

#include <sys/uio.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace trueasync::detail::interpose {

class RemainingIovecs {
 public:
  RemainingIovecs(const iovec* iovecs, std::size_t count) : iovecs_(iovecs, iovecs + count) { advance(0); }

  iovec* data() noexcept { return iovecs_.data() + first_; }
  std::size_t count() const noexcept { return iovecs_.size() - first_; }
  bool is_done() const noexcept { return count() == 0; }

  void advance(std::size_t bytes) noexcept {
    while (!is_done() && bytes >= data()->iov_len) {
      bytes -= data()->iov_len;
      ++first_;
    }
    if (is_done()) return;
    data()->iov_base = static_cast<std::byte*>(data()->iov_base) + bytes;
    data()->iov_len -= bytes;
  }

 private:
  std::vector<iovec> iovecs_;
  std::size_t first_ = 0;
};

// Transfers the data after the first `done` bytes by calling `transfer(iovecs, count)`.
template <class Transfer>
ssize_t transfer_rest(const iovec* iovecs, std::size_t count, std::size_t done, Transfer&& transfer) noexcept {
  try {
    RemainingIovecs remaining(iovecs, count);
    remaining.advance(done);
    return transfer(remaining.data(), remaining.count());
  } catch (...) {
    errno = ENOMEM;
    return -1;
  }
}

inline std::size_t total_size(const iovec* iovecs, std::size_t count) noexcept {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += iovecs[i].iov_len;
  return sum;
}

}  // namespace trueasync::detail::interpose
