// IovecCursor: the progress of a write of several pieces. next() fills at most kMaxEntries entries, however many pieces
// there are, and never describes more bytes than requested.
//
// Lifetime: the pieces must outlive the cursor.
// Thread safety: none.
#pragma once

#include <sys/uio.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "trueasync/io/stream.hpp"

namespace trueasync::detail {

class IovecCursor {
 public:
  static constexpr std::size_t kMaxEntries = 64;

  explicit IovecCursor(std::span<const ConstBytes> pieces) noexcept : pieces_(pieces) { advance(0); }

  bool is_done() const noexcept { return pieces_.empty(); }

  // Describes the next bytes, at most `max_bytes`. Returns the number of filled entries.
  int next(iovec (&entries)[kMaxEntries], std::size_t max_bytes) const noexcept {
    std::size_t count = 0;
    std::size_t skip = offset_;
    for (const ConstBytes& piece : pieces_) {
      if (count == kMaxEntries || max_bytes == 0) break;
      const std::size_t size = std::min(piece.size() - skip, max_bytes);
      if (size != 0) entries[count++] = {const_cast<std::byte*>(piece.data()) + skip, size};
      max_bytes -= size;
      skip = 0;
    }
    return static_cast<int>(count);
  }

  // The number of remaining bytes, at most `max_bytes`.
  std::size_t remaining(std::size_t max_bytes) const noexcept {
    std::size_t sum = 0;
    std::size_t skip = offset_;
    for (const ConstBytes& piece : pieces_) {
      sum += std::min(piece.size() - skip, max_bytes - sum);
      if (sum == max_bytes) break;
      skip = 0;
    }
    return sum;
  }

  // Copies the next bytes. `memory` must not be larger than the remaining bytes.
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
  std::size_t offset_ = 0;  // in the first piece
};

}  // namespace trueasync::detail
