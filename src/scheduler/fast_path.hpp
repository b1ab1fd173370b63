// Scheduler::wait_queued, the wait that channels, pools and connections are made of. It is inlined into the function that
// a caller returns from: where a coroutine goes on, each return is one that the processor guesses wrong.
#pragma once

#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

// Its first lines will be needed soon. The address may be of a coroutine that is gone: it is not followed.
[[gnu::always_inline]] inline void prefetch_run_state(const ControlBlock* block) noexcept {
  __builtin_prefetch(reinterpret_cast<const unsigned char*>(block) + 64);
}

[[gnu::always_inline]] inline WakeReason Scheduler::wait_queued(IntrusiveList<WaitEntry>& queue, WaitEntry& entry,
                                                                SourceLocation location, TimePoint deadline) {
  ControlBlock& self = *current_;
  if (__builtin_expect((slow_ | (self.flags & kInterrupts)) != 0, 0)) {
    check_may_suspend(location);
    if (self.flags & kInterrupts) {
      if (const WakeReason reason = check_interrupts(self); reason != WakeReason::none) return reason;
    }
  }
  if (deadline != TimePoint::max()) reactor_.timers().arm(self.wait_timer(), deadline);
  self.suspend_location = location;
  queue.push_back(entry);
  self.arm(entry);
  const bool is_plain =
      (slow_ | (self.flags & kSlowPathMask)) == 0 && ticks_until_clock_read_ != 1 && !ready_.ring().empty();
  if (__builtin_expect(is_plain && ready_.ring().peek(0)->phase == Phase::suspended, 1)) {
    ControlBlock& next = *ready_.ring().pop_front();
    prefetch_run_state(ready_.ring().peek(0));
    --ticks_until_clock_read_;
    ++statistics_.direct_switches;
    self.phase = Phase::suspended;
    next.phase = Phase::running;
    current_ = &next;
    switch_context(self.context, next.context, eh_globals_);
    sanitizer_destroy_exited(dead_context_);
    if (__builtin_expect((self.flags & kHasHandlers) || (slow_ & kHostHooks), 0))
      run_enter_hooks(self);  // added meanwhile
  } else {
    park(self);
  }
  if (deadline != TimePoint::max()) reactor_.timers().cancel(self.wait_timer());
  const WakeReason reason = self.reason();
  self.disarm();
  return reason;
}

template <class Exchange>
[[gnu::always_inline]] inline WakeReason Scheduler::yield_fast(SourceLocation location, Exchange exchange) {
  ControlBlock& self = *current_;
  const std::uint32_t slow = slow_ & ~(Exchange::kIsHost ? kHostHooks : 0u);
  if (__builtin_expect(
          (slow | (self.flags & kSlowPathMask)) != 0 || ticks_until_clock_read_ == 1 || ready_.ring().empty(), 0)) {
    return yield_slow(location);
  }
  ControlBlock& next = *ready_.ring().peek(0);
  if (__builtin_expect(next.phase != Phase::suspended, 0)) return yield_slow(location);
  --ticks_until_clock_read_;
  self.suspend_location = location;
  self.arm();
  self.set_state(WakerState::queued);
  self.phase = Phase::suspended;
  ready_.ring().rotate(&self);
  prefetch_run_state(ready_.ring().peek(1));
  __builtin_prefetch(ready_.ring().peek(0)->context.sp);
  next.phase = Phase::running;
  current_ = &next;
  ++statistics_.direct_switches;
  exchange(self, next);
  switch_context(self.context, next.context, eh_globals_);
  sanitizer_destroy_exited(dead_context_);
  // Added meanwhile; a host's state has been put back by whoever came here.
  const bool is_watched = (self.flags & kHasHandlers) || (!Exchange::kIsHost && (slow_ & kHostHooks));
  if (__builtin_expect(is_watched, 0)) run_enter_hooks(self);
  self.set_state(WakerState::none);
  return self.reason();
}

// Without a host.
struct NoHostSwitch {
  static constexpr bool kIsHost = false;
  void operator()(ControlBlock&, ControlBlock&) const noexcept {}
};

}  // namespace trueasync::detail
