// StackPool: returns memory to the kernel (stack_pool.hpp describes the policy).
#include <sys/mman.h>

#include <algorithm>
#include <iterator>

#include "context/madvise_batch.hpp"
#include "context/stack_pool.hpp"

namespace trueasync::detail {
namespace {

constexpr int kStepsPerWindow = 16;

}  // namespace

void StackPool::start_window(TimePoint now) noexcept {
  if (!needs_clock()) return;
  window_end_ = next_trim_ = now + options_.window;
}

std::size_t StackPool::excess() const noexcept {
  const std::size_t kept = std::max({options_.floor, window_peak_, decayed_peak_});
  const std::size_t resident = stats_.in_use + stats_.warm;
  return resident > kept ? std::min(resident - kept, stats_.warm) : 0;
}

void StackPool::trim(TimePoint now) noexcept {
  if (now < next_trim_) return;
  if (now >= window_end_) {
    decayed_peak_ = std::max(window_peak_, decayed_peak_ / 2);
    window_peak_ = stats_.in_use;
    window_end_ = now + options_.window;
  }
  release_memory(std::min(excess(), options_.trim_batch));
  unmap_idle_slabs();
  if (is_fully_trimmed()) {
    window_end_ = next_trim_ = TimePoint::max();
  } else {
    next_trim_ = excess() > 0 ? std::min(window_end_, now + options_.window / kStepsPerWindow) : window_end_;
  }
}

void StackPool::release_memory(std::size_t count) noexcept {
  iovec ranges[kMaxMadviseRanges];
  while (count > 0) {
    const std::size_t batch = std::min(count, kMaxMadviseRanges);
    for (std::size_t i = 0; i < batch; ++i) {
      Stack& stack = *coldest_;
      if (&stack == warm_) {
        warm_ = nullptr;
      } else {
        coldest_ = stack.prev;
        coldest_->next = nullptr;
      }
      ranges[i] = {stack.limit(), static_cast<std::size_t>(stack.top() - stack.limit())};
      stack.slab->push_cold(stack);
    }
    // The call fails for locked memory. The stack then counts as cold although it stays resident.
    madvise_ranges(ranges, batch, MADV_DONTNEED);
    stats_.warm -= batch;
    stats_.cold += batch;
    stats_.memory_released += batch;
    first_cold_ = 0;
    count -= batch;
  }
}

// Keeps the first slab, which is the smallest, and the slabs that reservations need.
void StackPool::unmap_idle_slabs() noexcept {
  for (std::size_t i = slabs_.size(); i-- > 1;) {
    Slab& slab = *slabs_[i];
    if (!slab.is_idle() || stats_.mapped - slab.count() < stats_.in_use + reserved_) continue;
    // With mprotect a reservation requires an installed guard.
    if (guard_ == GuardKind::mprotect && stats_.warm + stats_.cold - slab.carved() < reserved_) continue;
    for (std::size_t k = 0; options_.on_stack_destroyed && k < slab.carved(); ++k)
      options_.on_stack_destroyed(slab.stack(k).limit(), slab.stack(k).top(), options_.hook_user);
    stats_.cold -= slab.carved();
    stats_.mapped -= slab.count();
    ++stats_.slabs_unmapped;
    slabs_.erase(std::next(slabs_.begin(), static_cast<std::ptrdiff_t>(i)));
    first_cold_ = first_uncarved_ = 0;
  }
}

}  // namespace trueasync::detail
