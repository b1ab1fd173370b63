// The two inlined suspension fast paths: Scheduler::wait_queued, used by channels, pools and connections, and
// Scheduler::yield_fast. They are inlined because after a switch the processor mispredicts every return.
#pragma once

#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

// Prefetches the RunState. `block` may point to a destroyed coroutine: it is not dereferenced.
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
  const bool is_fast =
      (slow_ | (self.flags & kSlowPathMask)) == 0 && ticks_until_clock_read_ != 1 && !ready_.ring().empty();
  if (__builtin_expect(is_fast && ready_.ring().peek(0)->phase == Phase::suspended, 1)) {
    ControlBlock& next = *ready_.ring().pop_front();
    prefetch_run_state(ready_.ring().peek(0));
    --ticks_until_clock_read_;
    ++statistics_.direct_switches;
    self.phase = Phase::suspended;
    next.phase = Phase::running;
    current_ = &next;
    switch_context(self.context, next.context, eh_globals_);
    sanitizer_destroy_exited(exited_context_);
    if (__builtin_expect((self.flags & kHasHandlers) || (slow_ & kHostHooks), 0))
      run_enter_hooks(self);  // a handler was added during the wait
  } else {
    park(self);
  }
  if (deadline != TimePoint::max()) reactor_.timers().cancel(self.wait_timer());
  const WakeReason reason = self.reason();
  self.disarm();
  return reason;
}

// The common case of a yield: no slow-path condition holds and the next coroutine is suspended. The two coroutines swap
// their positions in the ready queue.
template <class HostSwitch>
[[gnu::always_inline]] inline WakeReason Scheduler::yield_fast(SourceLocation location, HostSwitch host_switch) {
  ControlBlock& self = *current_;
  const std::uint32_t slow = slow_ & ~(HostSwitch::kIsHost ? kHostHooks : 0u);
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
  host_switch(self, next);
  switch_context(self.context, next.context, eh_globals_);
  sanitizer_destroy_exited(exited_context_);
  // Handlers may have been added during the yield. A host's state was restored by the coroutine that switched to this
  // one.
  const bool has_hooks = (self.flags & kHasHandlers) || (!HostSwitch::kIsHost && (slow_ & kHostHooks));
  if (__builtin_expect(has_hooks, 0)) run_enter_hooks(self);
  self.set_state(WakerState::none);
  return self.reason();
}

// For yield_fast without a host.
struct NoHostSwitch {
  static constexpr bool kIsHost = false;
  void operator()(ControlBlock&, ControlBlock&) const noexcept {}
};

}  // namespace trueasync::detail
