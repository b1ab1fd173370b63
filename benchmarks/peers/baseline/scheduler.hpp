// The baseline: a minimal scheduler of stackful coroutines, a bound for what a runtime can reach. It is not a complete
// runtime: no errors, no cancellation, no events, no guard pages, no polling of a reactor.
//
// A coroutine's control block is at the top of its stack, in a slab of 16 KiB slots, at varying offsets. The ready queue is
// a ring of pointers. A coroutine that suspends switches directly to the next one. Timers are a 4-ary heap. The clock is
// read once per idle pass.
//
// Thread safety: single-threaded. The hot functions are in this header so that they are inlined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "switch.hpp"

namespace baseline {

using Function = void (*)(void* argument);

struct Coroutine {
  void* sp;
  Function function;
  void* argument;
  Coroutine* joiner;
  Coroutine* next;  // in the free list or in a wait queue
  bool done;
};

struct Timer {
  std::uint64_t deadline_ns;
  Coroutine* coroutine;
};

// A 4-ary heap, earliest deadline first.
class TimerHeap {
 public:
  void reserve(std::size_t count) { timers_.reserve(count); }
  bool empty() const { return timers_.empty(); }
  const Timer& first() const { return timers_.front(); }
  void push(Timer timer);
  Timer pop();

 private:
  std::vector<Timer> timers_;
};

class Scheduler {
 public:
  Scheduler();

  Coroutine* spawn(Function function, void* argument);
  void join(Coroutine* coroutine);
  void sleep_us(std::uint64_t microseconds);

  [[gnu::noinline]] void yield() {
    make_ready(current_);
    switch_to_next();
  }

  // Suspends the current coroutine until make_ready() is called for it.
  [[gnu::noinline]] void suspend() {
    if (head_ == tail_) run_timers();
    switch_to_next();
  }

  void make_ready(Coroutine* coroutine) { ring_[tail_++ & kRingMask] = coroutine; }
  bool anything_ready() const { return head_ != tail_; }
  Coroutine* current() const { return current_; }
  void reserve_timers(std::size_t count) { timers_.reserve(count); }

 private:
  static constexpr std::uint64_t kRingMask = (std::uint64_t{1} << 21) - 1;
  static constexpr std::size_t kStackSize = 16 * 1024;
  static constexpr std::size_t kStacksPerSlab = 4096;

  [[noreturn]] static void entry();
  [[noreturn]] void finish();
  void* carve_slot();
  void run_timers();  // returns when a coroutine is ready

  Coroutine* next_ready() { return ring_[head_++ & kRingMask]; }
  [[gnu::always_inline]] void switch_to_next() {
    Coroutine* next = next_ready();
    if (next == current_) return;
    Coroutine* self = current_;
    current_ = next;
    baseline_called_switch(&self->sp, &next->sp);
  }

  Coroutine** ring_;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
  Coroutine* current_ = &main_;
  Coroutine* free_ = nullptr;
  std::byte* slab_ = nullptr;
  std::byte* slab_end_ = nullptr;
  std::size_t carved_ = 0;
  TimerHeap timers_;
  std::uint64_t loop_time_ns_;
  Coroutine main_{};
};

// The only scheduler. A global, because it has the fastest access.
extern Scheduler scheduler;

}  // namespace baseline
