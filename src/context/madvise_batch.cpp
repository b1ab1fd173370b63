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

// Constants of newer kernel headers. PIDFD_SELF_PROCESS needs no descriptor, so it stays valid after a fork.
constexpr long kProcessMadvise = 440;
constexpr long kPidfdSelfProcess = -10001;

std::atomic<bool> batches_work{true};

// Applies the advice with one system call. Returns the number of leading ranges that were advised.
std::size_t advise_batch(const iovec* ranges, std::size_t count, int advice) noexcept {
  if (count < 2 || !batches_work.load(std::memory_order_relaxed)) return 0;
  const long bytes = running_on_valgrind() ? -1 : syscall(kProcessMadvise, kPidfdSelfProcess, ranges, count, advice, 0);
  if (bytes < 0) {
    batches_work.store(false, std::memory_order_relaxed);
    return 0;
  }
  std::size_t remaining = static_cast<std::size_t>(bytes);
  std::size_t done = 0;
  while (done < count && remaining >= ranges[done].iov_len) remaining -= ranges[done++].iov_len;
  return done;
}

}  // namespace

std::size_t madvise_ranges(const iovec* ranges, std::size_t count, int advice) noexcept {
  TRUEASYNC_CHECK(count <= kMaxMadviseRanges, "more than kMaxMadviseRanges ranges");
  // The remaining ranges are advised one by one. That also sets errno for the range at which the batch stopped.
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
