// The run loop: the tick, the direct switch, the start without a switch, and the scheduler's own coroutine.
#include "base/check.hpp"
#include "scheduler/api_support.hpp"
#include "scheduler/control_block.hpp"
#include "scheduler/fast_path.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

// One tick: run microtasks, poll the reactor if due, pop the next coroutine.
[[gnu::always_inline]] inline ControlBlock* Scheduler::tick() noexcept {
  if (__builtin_expect(!microtasks_.empty(), 0)) run_microtasks();
  if (__builtin_expect(--ticks_until_clock_read_ == 0, 0)) poll_reactor_if_due();
  return take_ready();
}

[[gnu::always_inline]] inline ControlBlock* Scheduler::take_ready() noexcept {
  while (!ready_.empty()) {
    ControlBlock* next = ready_.pop(order_);
    if (__builtin_expect(slow_ & kReactorQueueNotEmpty, 0))
      set_slow_path(kReactorQueueNotEmpty, ready_.has_from_reactor());
    if (__builtin_expect(next->waker().state() != WakerState::ignored, 1)) {
      prefetch_run_state(ready_.ring().peek(0));
      return next;
    }
    finalize_unstarted(*next, Outcome::cancelled, nullptr);
  }
  return nullptr;
}

// A non-blocking poll on the loop's stack: libuv keeps 12 KB of events on it, which may not fit on a coroutine's stack.
void Scheduler::run_reactor_on_loop_stack() noexcept {
  const ContextEntry poll_once = [](void* reactor) { static_cast<Reactor*>(reactor)->run_once(true); };
  if (!current_->stack) return poll_once(&reactor_);  // main runs on the thread's own stack
  auto* top = static_cast<std::uint8_t*>(loop_->context.sp);
  call_on_stack(top, poll_once, &reactor_, static_cast<std::size_t>(top - loop_->stack->limit()));
}

// The number of times a coroutine got control. Only differences of two values are meaningful.
std::uint64_t Scheduler::runs() const noexcept {
  return statistics_.direct_switches + statistics_.scheduler_switches + statistics_.started_without_switch +
         statistics_.resumed_in_place;
}

void Scheduler::poll_reactor_if_due() noexcept {
  const TimePoint now = reactor_.now();
  const auto since = now - last_poll_;
  if (since < kPollInterval || (since < kMaxPollInterval && runs() < batch_end_)) {
    ticks_per_clock_read_ = std::min(ticks_per_clock_read_ * 2, kMaxTicksPerClockRead);
  } else {
    last_poll_ = now;
    if (since > 4 * kPollInterval) ticks_per_clock_read_ = std::max(ticks_per_clock_read_ / 8, 1u);
    polling_ = order_ == nullptr && !ready_.empty();
    {
      NoSuspend guard(*this, "a callback of an event");
      run_reactor_on_loop_stack();
    }
    polling_ = false;
    batch_end_ = runs() + 2 * ready_.from_reactor_size();  // they alternate with the coroutines of the other ring
    set_slow_path(kReactorQueueNotEmpty, ready_.has_from_reactor());
    trim(now);
  }
  ticks_until_clock_read_ = ticks_per_clock_read_;
}

void Scheduler::run_microtasks() noexcept {
  NoSuspend guard(*this, "a microtask");
  auto error = microtasks_.run(kMicrotasksPerTick, statistics_.microtasks);
  set_slow_path(kMicrotasksQueued, !microtasks_.empty());
  if (error) report_unhandled(*(current_ == loop_ ? main_ : current_), error, "a microtask");
}

TimePoint Scheduler::trim(TimePoint now) noexcept {
  ready_.shrink(alive_ + zombies_ + 2);
  return stacks_.trim(now);
}

// `next` is null if the coroutine finishes.
void Scheduler::run_leave_hooks(ControlBlock& block, ControlBlock* next) noexcept {
  if (block.flags & kHasHandlers) {
    NoSuspend guard(*this, "a switch handler");
    block.extras->handlers.call(Access::coroutine(&block), next ? SwitchKind::leave : SwitchKind::finish);
    if (block.extras->handlers.empty()) block.flags &= static_cast<std::uint16_t>(~kHasHandlers);
  }
  if (!host_) return;
  if (next && host_->on_switch) {
    host_->on_switch(block, *next);
  } else {
    host_->on_leave(block, next == nullptr);
  }
}

void Scheduler::run_start_hooks(ControlBlock& block) noexcept {
  if (host_ && host_->on_switch) host_->on_enter(block);
  run_enter_hooks(block);
}

void Scheduler::run_enter_hooks(ControlBlock& block) noexcept {
  if (host_ && !host_->on_switch) host_->on_enter(block);
  if (block.flags & kHasHandlers) {
    NoSuspend guard(*this, "a switch handler");
    block.extras->handlers.call(Access::coroutine(&block), SwitchKind::enter);
    if (block.extras->handlers.empty()) block.flags &= static_cast<std::uint16_t>(~kHasHandlers);
  }
}

// Gives a coroutine its stack and first frame. Returns false if no stack is available; the coroutine has then finished
// with the error.
bool Scheduler::start(ControlBlock& block) noexcept {
  StackPool& pool = *block.pool;
  block.stack = pool.acquire_reserved();
  if (__builtin_expect(!block.stack, 0)) {
    finalize_unstarted(block, Outcome::error,
                       std::make_exception_ptr(StackError(pool.failure().message, pool.failure().limit)));
    return false;
  }
  std::uint8_t* top = block.stack->start();
  make_context(block.context, block.stack->limit(), top, &Scheduler::context_main, this);
  return true;
}

// Switches to `next`, which must have a context, and returns when `self` is resumed.
[[gnu::always_inline]] inline void Scheduler::switch_to(ControlBlock& self, ControlBlock& next) noexcept {
  if (__builtin_expect((self.flags & kHasHandlers) || host_, 0)) run_leave_hooks(self, &next);
  self.phase = Phase::suspended;
  next.phase = Phase::running;
  current_ = &next;
  switch_context(self.context, next.context, eh_globals_);
  sanitizer_destroy_exited(exited_context_);
  if (__builtin_expect((self.flags & kHasHandlers) || host_, 0)) run_enter_hooks(self);
}

// The tick runs in the suspending coroutine's context, so a suspension needs a single switch, directly to the next one.
[[gnu::noinline]] void Scheduler::park(ControlBlock& self) noexcept {
  ControlBlock* next = tick();
  while (next && next != &self && next->phase == Phase::created && !start(*next)) next = take_ready();
  if (next == &self) {
    ++statistics_.resumed_in_place;
    return;
  }
  if (next) {
    ++statistics_.direct_switches;
  } else {
    next = loop_;
    ++statistics_.scheduler_switches;
  }
  switch_to(self, *next);
}

void Scheduler::end_coroutine(ControlBlock& block) noexcept {
  block.phase = Phase::finished;
  ++statistics_.finished;
  if (__builtin_expect(block.flags & kZombie, 0)) clear_zombie(block);
  if (--alive_ == 0 && draining_) main_->waker().wake(WakeReason::event, *this);
  if (block.has_subscribers()) {
    NoSuspend guard(*this, "a callback of an event");
    block.fire_finished();
  }
  if (__builtin_expect(block.owner != nullptr, 0)) detach_from_owner(block);
}

// The owner is notified last: awaiters of the coroutine have observed its error before.
void Scheduler::detach_from_owner(ControlBlock& block) noexcept {
  NoSuspend guard(*this, "a handler of a scope");
  block.owner->on_finished(block);
  // An error stays attached: if it remains unobserved, dispose() propagates it to the owner.
  if (block.outcome != Outcome::error) block.detach_from_owner();
}

void Scheduler::finalize_unstarted(ControlBlock& block, Outcome outcome, std::exception_ptr error) noexcept {
  {
    NoSuspend guard(*this, "the destructor of a closure that never ran");
    block.ops->drop_closure(block.storage);
  }
  if (!block.stack) block.pool->unreserve();
  block.waker().set_state(WakerState::none);
  block.outcome = outcome;
  block.error = std::move(error);
  end_coroutine(block);
  block.release();
}

// The coroutine's body has returned. Finishes the coroutine and returns the next one to run. This still runs on the
// finished coroutine's stack.
ControlBlock& Scheduler::finish(ControlBlock& block, bool has_started) noexcept {
  if (__builtin_expect((block.flags & kHasHandlers) || host_, 0) && has_started) run_leave_hooks(block, nullptr);
  if (options_.stacks.measure_use) {
    statistics_.stack_peak_bytes = std::max(statistics_.stack_peak_bytes, StackPool::high_water_mark(*block.stack));
  }
  end_coroutine(block);
  ControlBlock* next = tick();
  return next ? *next : *loop_;
}

// Returns false if the coroutine was cancelled before it started.
bool Scheduler::run_body(ControlBlock& self) noexcept {
  const bool is_cancelled =
      self.waker().state() == WakerState::ignored;  // cancelled between the pop from the ready queue and the start
  self.phase = Phase::running;
  self.waker().set_state(WakerState::none);
  if (__builtin_expect(is_cancelled, 0)) {
    NoSuspend guard(*this, "the destructor of a closure that never ran");
    self.flags &= static_cast<std::uint16_t>(~kHasHandlers);
    self.ops->drop_closure(self.storage);
    self.outcome = Outcome::cancelled;
    return false;
  }
  if (__builtin_expect((self.flags & kHasHandlers) || host_, 0)) run_start_hooks(self);
  self.outcome = self.ops->run(self.storage, self.error);
  return true;
}

// Drops the scheduler's reference to a finished coroutine.
void Scheduler::release_finished(ControlBlock& self) noexcept {
  if (self.references() > 1) return self.release();
  NoSuspend guard(*this, "the destructor of a coroutine's result");
  self.release();
}

// The first frame on every pooled stack. While the next coroutine has not started, this frame runs it in the same
// context, without a switch.
void Scheduler::context_main(void* argument) noexcept {
  auto& scheduler = *static_cast<Scheduler*>(argument);
  sanitizer_after_switch(scheduler.current_->context.sanitizer);
  sanitizer_destroy_exited(scheduler.exited_context_);
  Stack* const stack = scheduler.current_->stack;
  StackPool& pool = *scheduler.current_->pool;
  for (;;) {
    ControlBlock& self = *scheduler.current_;
    const bool has_started = scheduler.run_body(self);
    ControlBlock* next = &scheduler.finish(self, has_started);
    const SanitizerState sanitizer = self.context.sanitizer;
    self.stack = nullptr;
    while (next->phase == Phase::created) {
      if (next->pool == &pool) {
        pool.unreserve();
        next->stack = stack;
        next->context.sanitizer = sanitizer;
        break;
      }
      if (scheduler.start(*next)) break;
      next = scheduler.take_ready();
      if (!next) next = scheduler.loop_;
    }
    scheduler.release_finished(self);
    scheduler.current_ = next;
    if (next->stack == stack) {
      ++scheduler.statistics_.started_without_switch;
      continue;
    }
    ++(next == scheduler.loop_ ? scheduler.statistics_.scheduler_switches : scheduler.statistics_.direct_switches);
    if (__builtin_expect(scheduler.host_ && scheduler.host_->on_switch && next->phase == Phase::suspended, 0)) {
      scheduler.host_->on_enter(*next);
    }
    next->phase = Phase::running;
    pool.release(stack);
    scheduler.exited_context_ = sanitizer;
    Context exited;
    exit_to_context(exited, next->context, scheduler.eh_globals_);
  }
}

void Scheduler::loop_main(void* argument) noexcept {
  auto& scheduler = *static_cast<Scheduler*>(argument);
  sanitizer_after_switch(scheduler.loop_->context.sanitizer);
  sanitizer_destroy_exited(scheduler.exited_context_);
  scheduler.loop();
}

// Runs when no coroutine is ready: blocks in the reactor, then switches directly to a woken coroutine.
void Scheduler::loop() noexcept {
  for (;;) {
    ControlBlock* next = nullptr;
    while (!next) {
      if (!microtasks_.empty()) run_microtasks();
      next = take_ready();
      while (next && next->phase == Phase::created && !start(*next)) next = take_ready();
      if (next) continue;
      NoSuspend guard(*this, "the scheduler");
      if (!microtasks_.empty()) {
        reactor_.run_once(true);  // endless microtasks must not starve the reactor
        continue;
      }
      if (!reactor_.has_foreground_work()) {
        resolve_deadlock();
        continue;
      }
      reactor_.run_once(false, trim(reactor_.now()));
      last_poll_ = reactor_.now();
      batch_end_ = runs() + ready_.size();
      ticks_until_clock_read_ = ticks_per_clock_read_;
    }
    ++statistics_.scheduler_switches;
    switch_to(*loop_, *next);
  }
}

}  // namespace trueasync::detail

namespace trueasync {

void yield(SourceLocation location) {
  detail::Scheduler& scheduler = detail::require_scheduler("yield");
  const WakeReason reason = scheduler.yield_fast(location, detail::NoHostSwitch());
  if (__builtin_expect(reason != WakeReason::none, 0)) detail::throw_wait_error(scheduler, reason, nullptr);
}

}  // namespace trueasync
