// The high-water mark of a stack.
#include <sys/mman.h>

#include <algorithm>

#include "context/madvise_batch.hpp"
#include "context/sanitizer.hpp"
#include "context/stack_pool.hpp"
#include "context/valgrind.hpp"

namespace trueasync::detail {
namespace {

// Reading a page that was never written would map the zero page, so check for residency first.
bool is_resident(std::uint8_t* page) noexcept {
  unsigned char resident = 0;
  return mincore(page, page_size(), &resident) != 0 || (resident & 1) != 0;
}

// Returns the first nonzero word, or `end`. Not instrumented: the memory below the frames may be poisoned.
TRUEASYNC_NO_ASAN TRUEASYNC_NO_TSAN const std::uint8_t* first_written(const std::uint8_t* begin,
                                                                      const std::uint8_t* end) noexcept {
  for (; begin < end; begin += sizeof(std::uintptr_t))
    if (*reinterpret_cast<const volatile std::uintptr_t*>(begin) != 0) return begin;
  return end;
}

}  // namespace

std::size_t StackPool::high_water_mark(const Stack& stack) noexcept {
  std::uint8_t* const start = stack.start();
  const std::uint8_t* lowest = start;
  valgrind_suppress_errors(true);
  for (std::uint8_t* page = stack.limit(); page < start; page += page_size()) {
    if (!is_resident(page)) continue;
    std::uint8_t* const end = std::min(page + page_size(), start);
    lowest = first_written(page, end);
    if (lowest < end) break;
    lowest = start;
  }
  valgrind_suppress_errors(false);
  return static_cast<std::size_t>(start - lowest);
}

}  // namespace trueasync::detail
