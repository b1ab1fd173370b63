// IovecCursor: how far a write of several pieces has come. However many pieces there are, the kernel gets as many at a
// time as it takes (IO-15), and never more bytes than asked for (IO-14).
//
// Owns: nothing; the pieces must live as long. Threads: any, one at a time.
#pragma once

#include <sys/uio.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "trueasync/stream.hpp"

namespace trueasync::detail {

class IovecCursor {
 public:
  static constexpr std::size_t kAtOnce = 64;

  explicit IovecCursor(std::span<const ConstBytes> pieces) noexcept : pieces_(pieces) { advance(0); }

  bool is_done() const noexcept { return pieces_.empty(); }

  // Describes what comes next, `most` bytes at most. Returns how many entries were filled.
  int next(iovec (&entries)[kAtOnce], std::size_t most) const noexcept {
    std::size_t count = 0;
    std::size_t skip = offset_;
    for (const ConstBytes& piece : pieces_) {
      if (count == kAtOnce || most == 0) break;
      const std::size_t size = std::min(piece.size() - skip, most);
      if (size != 0) entries[count++] = {const_cast<std::byte*>(piece.data()) + skip, size};
      most -= size;
      skip = 0;
    }
    return static_cast<int>(count);
  }

  // How much is left, as far as `most` goes.
  std::size_t left(std::size_t most) const noexcept {
    std::size_t sum = 0;
    std::size_t skip = offset_;
    for (const ConstBytes& piece : pieces_) {
      sum += std::min(piece.size() - skip, most - sum);
      if (sum == most) break;
      skip = 0;
    }
    return sum;
  }

  // Copies what comes next; `memory` is no larger than what is left.
  void copy_to(Bytes memory) const noexcept {
    std::size_t skip = offset_;
    for (const ConstBytes& piece : pieces_) {
      if (memory.empty()) return;
      const std::size_t size = std::min(piece.size() - skip, memory.size());
      if (size != 0) std::memcpy(memory.data(), piece.data() + skip, size);
      memory = memory.subspan(size);
      skip = 0;
    }
  }

  void advance(std::size_t bytes) noexcept {
    offset_ += bytes;
    while (!pieces_.empty() && offset_ >= pieces_.front().size()) {
      offset_ -= pieces_.front().size();
      pieces_ = pieces_.subspan(1);
    }
  }

 private:
  std::span<const ConstBytes> pieces_;
  std::size_t offset_ = 0;  // in the first of them
};

}  // namespace trueasync::detail
