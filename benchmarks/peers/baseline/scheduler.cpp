#include "scheduler.hpp"

#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace baseline {
namespace {

std::uint64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

void* map(std::size_t size, int extra_flags) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | extra_flags, -1, 0);
  if (memory != MAP_FAILED) return memory;
  std::perror("mmap");
  std::abort();
}

}  // namespace

Scheduler scheduler;

void TimerHeap::push(Timer timer) {
  std::size_t at = timers_.size();
  timers_.push_back(timer);
  while (at > 0) {
    const std::size_t parent = (at - 1) / 4;
    if (timers_[parent].deadline_ns <= timer.deadline_ns) break;
    timers_[at] = timers_[parent];
    at = parent;
  }
  timers_[at] = timer;
}

Timer TimerHeap::pop() {
  const Timer first = timers_.front();
  const Timer last = timers_.back();
  timers_.pop_back();
  const std::size_t size = timers_.size();
  if (size == 0) return first;
  std::size_t at = 0;
  for (std::size_t child = 1; child < size; child = at * 4 + 1) {
    std::size_t least = child;
    for (std::size_t other = child + 1; other < std::min(child + 4, size); ++other) {
      if (timers_[other].deadline_ns < timers_[least].deadline_ns) least = other;
    }
    if (timers_[least].deadline_ns >= last.deadline_ns) break;
    timers_[at] = timers_[least];
    at = least;
  }
  timers_[at] = last;
  return first;
}

Scheduler::Scheduler()
    : ring_(static_cast<Coroutine**>(map(sizeof(Coroutine*) * (kRingMask + 1), 0))), loop_time_ns_(now_ns()) {
  // Makes the ring resident, so that memory measurements count only stacks.
  for (std::uint64_t i = 0; i <= kRingMask; i += 512) ring_[i] = nullptr;
}

void* Scheduler::carve_slot() {
  if (slab_ == slab_end_) {
    constexpr std::size_t kSize = kStackSize * kStacksPerSlab;
    slab_ = static_cast<std::byte*>(map(kSize, MAP_NORESERVE));
    madvise(slab_, kSize, MADV_NOHUGEPAGE);
    slab_end_ = slab_ + kSize;
  }
  slab_ += kStackSize;
  const std::size_t color = (carved_++ % 24) * 64;
  return slab_ - 64 - color;
}

Coroutine* Scheduler::spawn(Function function, void* argument) {
  static_assert(sizeof(Coroutine) <= 64);
  Coroutine* coroutine = free_;
  if (coroutine != nullptr) {
    free_ = coroutine->next;
  } else {
    coroutine = static_cast<Coroutine*>(carve_slot());
  }
  coroutine->function = function;
  coroutine->argument = argument;
  coroutine->joiner = nullptr;
  coroutine->done = false;
  coroutine->sp = prepare_called(coroutine, &Scheduler::entry);
  make_ready(coroutine);
  return coroutine;
}

void Scheduler::entry() {
  scheduler.current_->function(scheduler.current_->argument);
  scheduler.finish();
}

void Scheduler::finish() {
  Coroutine* self = current_;
  self->done = true;
  if (self->joiner != nullptr) make_ready(self->joiner);
  if (head_ == tail_) run_timers();
  Coroutine* next = next_ready();
  current_ = next;
  baseline_called_switch(&self->sp, &next->sp);
  __builtin_unreachable();
}

void Scheduler::join(Coroutine* coroutine) {
  if (!coroutine->done) {
    coroutine->joiner = current_;
    suspend();
  }
  coroutine->next = free_;
  free_ = coroutine;
}

void Scheduler::sleep_us(std::uint64_t microseconds) {
  timers_.push({loop_time_ns_ + microseconds * 1000, current_});
  suspend();
}

void Scheduler::run_timers() {
  for (;;) {
    loop_time_ns_ = now_ns();
    while (!timers_.empty() && timers_.first().deadline_ns <= loop_time_ns_) make_ready(timers_.pop().coroutine);
    if (head_ != tail_) return;
    if (timers_.empty()) {
      std::fprintf(stderr, "deadlock\n");
      std::abort();
    }
    // Whole milliseconds, like epoll_wait and libuv.
    const std::uint64_t wait_ms = (timers_.first().deadline_ns - loop_time_ns_ + 999'999) / 1'000'000;
    const timespec wait{static_cast<time_t>(wait_ms / 1000), static_cast<long>(wait_ms % 1000 * 1'000'000)};
    nanosleep(&wait, nullptr);
  }
}

}  // namespace baseline
