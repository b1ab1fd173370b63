#include "context/madvise_batch.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/check.hpp"
#include "context/valgrind.hpp"

namespace trueasync::detail {
namespace {

// From newer kernel headers than we build with. The sentinel needs no descriptor, so a fork can not make it stale.
constexpr long kProcessMadvise = 440;
constexpr long kPidfdSelfProcess = -10001;

std::atomic<bool> batches_work{true};

// How many ranges from the first on one call has done.
std::size_t advise_batch(const iovec* ranges, std::size_t count, int advice) noexcept {
  if (count < 2 || !batches_work.load(std::memory_order_relaxed)) return 0;
  const long bytes = running_on_valgrind() ? -1 : syscall(kProcessMadvise, kPidfdSelfProcess, ranges, count, advice, 0);
  if (bytes < 0) {
    batches_work.store(false, std::memory_order_relaxed);
    return 0;
  }
  std::size_t left = static_cast<std::size_t>(bytes);
  std::size_t done = 0;
  while (done < count && left >= ranges[done].iov_len) left -= ranges[done++].iov_len;
  return done;
}

}  // namespace

std::size_t madvise_ranges(const iovec* ranges, std::size_t count, int advice) noexcept {
  TRUEASYNC_CHECK(count <= kMaxMadviseRanges, "too many ranges for one batch");
  // What a batch leaves over is done singly: that also finds the error of the range it stopped at.
  for (std::size_t done = advise_batch(ranges, count, advice); done < count; ++done) {
    int result;
    do {
      result = madvise(ranges[done].iov_base, ranges[done].iov_len, advice);
    } while (result != 0 && errno == EAGAIN);
    if (result != 0) return done;
  }
  return count;
}

std::size_t page_size() noexcept {
  static const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace trueasync::detail
