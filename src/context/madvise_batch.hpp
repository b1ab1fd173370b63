// madvise for many ranges: one process_madvise call if the kernel supports it for the calling process (Linux 6.14),
// else one madvise call per range.
//
// Thread safety: any thread.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

namespace trueasync::detail {

// The maximum number of ranges of one call.
constexpr std::size_t kMaxMadviseRanges = 64;

// Applies `advice` to the ranges in order. Returns the number of advised ranges; if fewer than `count`, errno is set.
std::size_t madvise_ranges(const iovec* ranges, std::size_t count, int advice) noexcept;

// The size of a memory page.
std::size_t page_size() noexcept;

}  // namespace trueasync::detail
