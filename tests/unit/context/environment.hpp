// Properties of the test environment: emulation, valgrind.
#pragma once

#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include <cstdint>
#include <vector>

#include "context/madvise_batch.hpp"
#include "context/sanitizer.hpp"
#include "context/valgrind.hpp"

namespace trueasync::detail {

// qemu-user provides no vdso to an emulated program; a kernel does.
inline bool runs_emulated() {
#if defined(__aarch64__)
  return getauxval(AT_SYSINFO_EHDR) == 0;
#else
  return false;
#endif
}

inline std::size_t resident_pages(const void* begin, const void* end) {
  auto* from = static_cast<std::uint8_t*>(const_cast<void*>(begin));
  const auto pages = static_cast<std::size_t>(static_cast<const std::uint8_t*>(end) - from) / page_size();
  std::vector<unsigned char> resident(pages);
  EXPECT_EQ(mincore(from, pages * page_size(), resident.data()), 0);
  std::size_t count = 0;
  for (const unsigned char flags : resident) count += flags & 1;
  return count;
}

#define TRUEASYNC_SKIP_UNDER_VALGRIND(reason) \
  if (::trueasync::detail::running_on_valgrind()) GTEST_SKIP() << "valgrind: " << reason
#define TRUEASYNC_SKIP_EMULATED(reason) \
  if (::trueasync::detail::runs_emulated()) GTEST_SKIP() << "qemu-user: " << reason

}  // namespace trueasync::detail
