// Scheduler::yield for the commonest case, in one piece: nothing special is going on, and the next coroutine only waits
// for its turn. The two trade places in the queue. Inlined into the function that a caller returns from, as
// wait_queued.hpp is, also into a host's.
#pragma once

#include "scheduler/wait_queued.hpp"

namespace trueasync::detail {

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
