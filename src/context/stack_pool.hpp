// Stacks of one size, pooled (CTX-01…04). One mapping (slab) holds many stacks; each has a guard below it.
//
// Owns: the mappings. Lifetime: every stack must be released before the pool dies (checked). Threads: one.
//
// How the pool sizes itself (CTX-02):
//   up    acquire takes the hottest free stack, else a cold one from the oldest slab that has one, else carves a new
//         one; a new slab has twice the stacks of the last (64 … 4096), or fewer if the address space has no more.
//   keep  at the end of every `window` the peak of use is taken. The number kept warm, in use or free, is the greatest
//         of floor, the peak of the running window and the decayed peak, which is max(last window's peak, half of the
//         previous decayed peak). So a burst is forgotten in log2(burst / steady use) windows.
//   down  free stacks above that number get their memory taken back (MADV_DONTNEED), coldest first, in steps of at
//         most `trim_batch`; while more is left, the next step comes after 1/16 of a window. A slab whose stacks are
//         all cold is unmapped, except the first.
//   rest  when nothing is left to take back next_trim() is "never": an idle program is not woken.
// Bounds: a step gives back at most trim_batch stacks (measured: about 0.3 ms for 256 of one page each); a burst of n
// stacks is given back within log2(n) windows plus n / (16 * trim_batch) windows.
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
  std::size_t stack_size = 64 * 1024;  // the whole slot, in whole pages; the guard is its lowest part
  std::size_t guard_size = 4096;       // rounded up to whole pages
  GuardKind guard = GuardKind::automatic;
  std::size_t max_stacks = 0;  // 0: as many as the system gives
  std::size_t floor = 16;      // kept warm whatever the demand
  std::size_t trim_batch = 256;
  std::chrono::milliseconds window{1000};
  bool measure_use = false;  // zero a stack's memory at each reuse, so that its high-water mark is the coroutine's
  // A host that must know every stack (a collector, a profiler; XC-14). Called when a stack is carved, before its first
  // use, and before its memory is unmapped.
  void (*on_stack_created)(void* limit, void* top, void* user) = nullptr;
  void (*on_stack_destroyed)(void* limit, void* top, void* user) = nullptr;
  void* hook_user = nullptr;
};

// in_use + warm + cold is what was carved; `mapped` is what the slabs have room for. `peak` is that of in_use.
struct StackPoolStats {
  std::size_t in_use = 0, warm = 0, cold = 0, mapped = 0, peak = 0;
  std::uint64_t slabs_mapped = 0, slabs_unmapped = 0, memory_released = 0, reused = 0;
};

// Why no stack could be had; `limit` is the name of what ran out: "max_stacks", "vm.max_map_count", "address space" or
// "memory".
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

  // An empty text, or what is wrong with the options and what to write instead.
  static std::string validate(const StackPoolOptions& options);

  // A stack, or null: then failure() says why.
  Stack* acquire() noexcept {
    Stack* stack = warm_;
    if (__builtin_expect(stack == nullptr || options_.measure_use, 0)) return acquire_slow();
    pop_warm(*stack);
    take(*stack);
    return stack;
  }

  // A promise of a stack for later, so that spawning can fail and starting can not (CTX-04): address space and, where
  // guards are limited, the guard. False: failure() says why.
  bool reserve() noexcept {
    if (__builtin_expect(stats_.in_use + ++reserved_ > stats_.mapped || guard_ == GuardKind::mprotect, 0)) {
      return reserve_slow();
    }
    return true;
  }
  void unreserve() noexcept { --reserved_; }
  Stack* acquire_reserved() noexcept {
    Stack* stack = acquire();
    if (stack) --reserved_;  // without one the promise stands, until it is given back
    return stack;
  }
  // A stack that will never be left properly: it stays mapped for ever, and the pool forgets it.
  void abandon(Stack* stack) noexcept;
  // Not for ever, after all: until the pool goes.
  void unmap_abandoned_on_destroy() noexcept { leak_slabs_ = false; }

  // The caller may still run on it; it must leave before anyone acquires again.
  void release(Stack* stack) noexcept {
    TRUEASYNC_CHECK(stack->in_use, "a stack was released that is not in use");
    stack->in_use = false;
    stack->next = warm_;
    // The coldest end is read only while the list has elements, so an empty list needs no more than this.
    (warm_ ? warm_->prev : coldest_) = stack;
    warm_ = stack;
    --stats_.in_use;
    ++stats_.warm;
  }

  const StackFailure& failure() const noexcept { return failure_; }

  // One step of giving memory back; call when now >= next_trim().
  void trim(TimePoint now) noexcept;
  // TimePoint::max() when there is nothing to do.
  TimePoint next_trim() const noexcept { return next_trim_; }
  // Starts the clock after use: the first release after rest needs the time. needs_clock() tells whether it would
  // change anything, so that nobody reads a clock for nothing.
  bool needs_clock() const noexcept { return next_trim_ == TimePoint::max() && !is_fully_trimmed(); }
  void start_window(TimePoint now) noexcept;

  std::size_t stack_size() const noexcept { return options_.stack_size; }
  GuardKind guard() const noexcept { return guard_; }
  const StackPoolStats& stats() const noexcept { return stats_; }
  // Bytes of `stack` below its start that were ever written since its memory was last zero (exact with measure_use;
  // memory that was swapped out counts as never written).
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
  Stack* warm_ = nullptr;                     // hottest first
  Stack* coldest_ = nullptr;                  // the other end; means something only while warm_ is not null
  std::vector<std::unique_ptr<Slab>> slabs_;  // oldest first
  std::size_t first_cold_ = 0;                // no slab before this one has cold stacks
  std::size_t first_uncarved_ = 0;            // nor, before this one, stacks that were never used

  std::size_t reserved_ = 0;      // promised, not yet acquired
  bool leak_slabs_ = false;       // a stack was abandoned: its slab must outlive the pool
  std::size_t window_peak_ = 0;   // of in_use, since the window began
  std::size_t decayed_peak_ = 0;  // of the windows before
  TimePoint window_end_ = TimePoint::max();
  TimePoint next_trim_ = TimePoint::max();

  StackPoolStats stats_;
  StackFailure failure_;
};

}  // namespace trueasync::detail
