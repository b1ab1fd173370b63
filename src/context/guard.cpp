#include "context/guard.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "context/madvise_batch.hpp"

namespace trueasync::detail {
namespace {

constexpr int kMadvGuardInstall = 102;
constexpr std::size_t kDefaultMapCount = 65530;
constexpr std::size_t kMapsPerGuard = 2;

std::atomic<std::size_t> mprotect_guards{0};

// An emulator may accept advice that it does not know, so this checks that the page faults. The kernel does the access,
// so no signal is raised: nanosleep with its duration in the page fails with EFAULT, or returns immediately if it is
// readable.
bool probe_madvise_guard() noexcept {
  const std::size_t size = page_size();
  void* page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (page == MAP_FAILED) return false;
  const bool faults =
      madvise(page, size, kMadvGuardInstall) == 0 && syscall(SYS_nanosleep, page, nullptr) == -1 && errno == EFAULT;
  munmap(page, size);
  return faults;
}

std::size_t guards_allowed() noexcept {
  const std::size_t maps = max_map_count();
  return (maps - std::min(kReservedMappings, maps / 2)) / kMapsPerGuard;
}

// Reading the sysctl costs three system calls. It is read again only when the last value is exhausted, because it may
// have been raised since.
bool reserve_guard_quota() noexcept {
  static std::atomic<std::size_t> allowed{guards_allowed()};
  const std::size_t now = mprotect_guards.fetch_add(1, std::memory_order_relaxed) + 1;
  if (now <= allowed.load(std::memory_order_relaxed)) return true;
  allowed.store(guards_allowed(), std::memory_order_relaxed);
  if (now <= allowed.load(std::memory_order_relaxed)) return true;
  mprotect_guards.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

std::size_t protect_each(std::uint8_t* first, std::size_t stride, std::size_t size, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (!reserve_guard_quota()) {
      errno = ENOMEM;
      return i;
    }
    if (mprotect(first + i * stride, size, PROT_NONE) != 0) {
      const int error = errno;
      release_guard_quota(GuardKind::mprotect, 1);
      errno = error;
      return i;
    }
  }
  return count;
}

}  // namespace

bool has_madvise_guards() noexcept {
  static const bool supported = probe_madvise_guard();
  return supported;
}

GuardKind resolve_guard(GuardKind requested) noexcept {
  if (requested != GuardKind::automatic) return requested;
  return has_madvise_guards() ? GuardKind::madvise : GuardKind::mprotect;
}

std::size_t install_guards(GuardKind kind, std::uint8_t* first, std::size_t stride, std::size_t size,
                           std::size_t count) noexcept {
  if (kind == GuardKind::none) return count;
  if (kind == GuardKind::mprotect) return protect_each(first, stride, size, count);
  iovec ranges[kMaxMadviseRanges];
  for (std::size_t i = 0; i < count; ++i) ranges[i] = {first + i * stride, size};
  return madvise_ranges(ranges, count, kMadvGuardInstall);
}

void release_guard_quota(GuardKind kind, std::size_t count) noexcept {
  if (kind == GuardKind::mprotect) mprotect_guards.fetch_sub(count, std::memory_order_relaxed);
}

std::size_t max_map_count() noexcept {
  const int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
  if (file < 0) return kDefaultMapCount;
  char text[32] = {};
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  const std::size_t maps = length > 0 ? std::strtoull(text, nullptr, 10) : 0;
  return maps > 0 ? maps : kDefaultMapCount;
}

}  // namespace trueasync::detail
