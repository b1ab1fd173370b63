// Pieces: what is left of a transfer that goes on after a part of it: a copy of the caller's list, which stays as it is.
//
// Owns: the copy, not the bytes. Errors: the constructor throws std::bad_alloc.
#pragma once

#include <sys/uio.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace trueasync::detail::interpose {

class RemainingIovecs {
 public:
  RemainingIovecs(const iovec* pieces, std::size_t count) : pieces_(pieces, pieces + count) { advance(0); }

  iovec* data() noexcept { return pieces_.data() + first_; }
  std::size_t count() const noexcept { return pieces_.size() - first_; }
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
  std::vector<iovec> pieces_;
  std::size_t first_ = 0;
};

// Moves what is left after `done` bytes by `move(pieces, count)`.
template <class Move>
ssize_t transfer_rest(const iovec* pieces, std::size_t count, std::size_t done, Move&& move) noexcept {
  try {
    RemainingIovecs rest(pieces, count);
    rest.advance(done);
    return move(rest.data(), rest.count());
  } catch (...) {
    errno = ENOMEM;
    return -1;
  }
}

inline std::size_t size_of(const iovec* pieces, std::size_t count) noexcept {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += pieces[i].iov_len;
  return sum;
}

}  // namespace trueasync::detail::interpose
