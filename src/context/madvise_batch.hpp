// madvise for many ranges at once: one process_madvise where the kernel takes it for the own process (Linux 6.14),
// one madvise per range elsewhere. Threads: any.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

namespace trueasync::detail {

// The most ranges of one call.
constexpr std::size_t kMaxMadviseRanges = 64;

// Gives `advice` for the ranges in order; returns how many took it. When it is not all of them, errno says why.
std::size_t madvise_ranges(const iovec* ranges, std::size_t count, int advice) noexcept;

// The size of a page of memory on this machine.
std::size_t page_size() noexcept;

}  // namespace trueasync::detail
