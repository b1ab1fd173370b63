// StackPool: reuses stacks of one size. One mapping (slab) holds many stacks; each has a guard page below it.
//
// Sizing:
//   grow  acquire() takes the most recently released warm stack, else a cold stack from the oldest slab that has one,
//         else carves a new one. A new slab has twice the stacks of the last (64 … 4096), or fewer if the address
//         space is short.
//   keep  the number of warm stacks, in use or free, is the maximum of floor, the peak of the current `window` and the
//         decayed peak: max(peak of the last window, half of the previous decayed peak). So the memory of a burst is
//         released in log2(burst / steady use) windows.
//   trim  the memory of further free stacks is returned to the kernel (MADV_DONTNEED), coldest first, in steps of at
//         most `trim_batch` stacks, 1/16 of a window apart. A slab whose stacks are all cold is unmapped, except the
//         first.
//   idle  after the last step next_trim() is TimePoint::max(): an idle program is not woken.
// Bounds: a step trims at most trim_batch stacks (measured: about 0.3 ms for 256 stacks of one page each). A burst of n
// stacks is trimmed within log2(n) + n / (16 * trim_batch) windows.
//
// Ownership: owns the mappings.
// Lifetime: every stack must be released before the pool is destroyed (checked).
// Thread safety: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "context/guard.hpp"
#include "context/slab.hpp"

namespace trueasync::detail {

using TimePoint = std::chrono::steady_clock::time_point;

struct StackPoolOptions {
  std::size_t stack_size = 64 * 1024;  // multiple of the page size; includes the guard, its lowest part
  std::size_t guard_size = 4096;       // rounded up to whole pages
  GuardKind guard = GuardKind::automatic;
  std::size_t max_stacks = 0;  // 0: no limit
  std::size_t floor = 16;      // minimum number of warm stacks
  std::size_t trim_batch = 256;
  std::chrono::milliseconds window{1000};
  bool measure_use = false;  // zero a stack before each reuse, so that its high-water mark belongs to one coroutine
  // Hooks for a host that must know every stack, such as a garbage collector or a profiler. Called after a stack is
  // carved, before its first use, and before its memory is unmapped.
  void (*on_stack_created)(void* limit, void* top, void* user) = nullptr;
  void (*on_stack_destroyed)(void* limit, void* top, void* user) = nullptr;
  void* hook_user = nullptr;
};

// in_use + warm + cold is the number of carved stacks; `mapped` is the capacity of the slabs; `peak` is the peak of
// in_use.
struct StackPoolStats {
  std::size_t in_use = 0, warm = 0, cold = 0, mapped = 0, peak = 0;
  std::uint64_t slabs_mapped = 0, slabs_unmapped = 0, memory_released = 0, reused = 0;
};

// The reason of a failed allocation. `limit` names the exhausted limit: "max_stacks", "vm.max_map_count", "address
// space" or "memory".
struct StackFailure {
  std::string message;
  std::string limit;
};

class StackPool {
 public:
  // The options must have passed validate().
  explicit StackPool(const StackPoolOptions& options);
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // Returns an empty string, or an error message for invalid options.
  static std::string validate(const StackPoolOptions& options);

  // Returns a stack, or null and sets failure().
  Stack* acquire() noexcept {
    Stack* stack = warm_;
    if (__builtin_expect(stack == nullptr || options_.measure_use, 0)) return acquire_slow();
    pop_warm(*stack);
    take(*stack);
    return stack;
  }

  // Reserves a stack for later, so that a spawn can fail but a start does not: reserves address space and, with
  // mprotect, the guard. Returns false and sets failure() on error.
  bool reserve() noexcept {
    if (__builtin_expect(stats_.in_use + ++reserved_ > stats_.mapped || guard_ == GuardKind::mprotect, 0)) {
      return reserve_slow();
    }
    return true;
  }
  void unreserve() noexcept { --reserved_; }
  Stack* acquire_reserved() noexcept {
    Stack* stack = acquire();
    if (stack) --reserved_;  // on failure the reservation stays until unreserve()
    return stack;
  }
  // Gives up a stack whose frames were not unwound: it stays mapped and is never reused.
  void abandon(Stack* stack) noexcept;
  // Lets the destructor unmap abandoned stacks.
  void unmap_abandoned_on_destroy() noexcept { leak_slabs_ = false; }

  // The caller may still run on the stack, but must switch away before the next acquire().
  void release(Stack* stack) noexcept {
    TRUEASYNC_CHECK(stack->in_use, "release() of a stack that is not in use");
    stack->in_use = false;
    stack->next = warm_;
    // coldest_ is read only while the list is not empty, so an empty list needs no other update.
    (warm_ ? warm_->prev : coldest_) = stack;
    warm_ = stack;
    --stats_.in_use;
    ++stats_.warm;
  }

  const StackFailure& failure() const noexcept { return failure_; }

  // Runs one trim step; call it when now >= next_trim().
  void trim(TimePoint now) noexcept;
  // TimePoint::max() when there is nothing to do.
  TimePoint next_trim() const noexcept { return next_trim_; }
  // Starts a window if stacks were released since the pool was fully trimmed. needs_clock() returns whether that would
  // have an effect, so that the caller can avoid reading the clock.
  bool needs_clock() const noexcept { return next_trim_ == TimePoint::max() && !is_fully_trimmed(); }
  void start_window(TimePoint now) noexcept;

  std::size_t stack_size() const noexcept { return options_.stack_size; }
  GuardKind guard() const noexcept { return guard_; }
  const StackPoolStats& stats() const noexcept { return stats_; }
  // The number of bytes below the start of `stack` that were written since its memory was last zeroed. Exact with
  // measure_use; swapped-out memory counts as not written.
  static std::size_t high_water_mark(const Stack& stack) noexcept;

 private:
  bool reserve_slow() noexcept;
  Stack* acquire_slow() noexcept;
  Stack* acquire_cold() noexcept;
  Stack* acquire_new() noexcept;
  Slab* add_slab() noexcept;
  Stack* fail_guard(int error) noexcept;
  Stack* fail_max_stacks() noexcept;
  Stack* fail(const char* limit, const char* message) noexcept;

  void pop_warm(Stack& stack) noexcept {
    warm_ = stack.next;
    --stats_.warm;
    ++stats_.reused;
  }
  void take(Stack& stack) noexcept {
    stack.in_use = true;
    stack.cold = false;
    if (++stats_.in_use > window_peak_) {
      window_peak_ = stats_.in_use;
      if (window_peak_ > stats_.peak) stats_.peak = window_peak_;
    }
  }

  bool is_fully_trimmed() const noexcept { return stats_.warm == 0 || stats_.in_use + stats_.warm <= options_.floor; }
  std::size_t excess() const noexcept;
  void release_memory(std::size_t count) noexcept;
  void unmap_idle_slabs() noexcept;

  StackPoolOptions options_;
  GuardKind guard_;
  Stack* warm_ = nullptr;                     // most recently released first
  Stack* coldest_ = nullptr;                  // the other end of the list; valid only while warm_ is not null
  std::vector<std::unique_ptr<Slab>> slabs_;  // oldest first
  std::size_t first_cold_ = 0;                // no slab before this one has cold stacks
  std::size_t first_uncarved_ = 0;            // no slab before this one has uncarved stacks

  std::size_t reserved_ = 0;      // reserved and not yet acquired
  bool leak_slabs_ = false;       // a stack was abandoned: its slab must outlive the pool
  std::size_t window_peak_ = 0;   // peak of in_use in the current window
  std::size_t decayed_peak_ = 0;  // of the previous windows
  TimePoint window_end_ = TimePoint::max();
  TimePoint next_trim_ = TimePoint::max();

  StackPoolStats stats_;
  StackFailure failure_;
};

}  // namespace trueasync::detail
