// Suspending the current coroutine.
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// A cancelled coroutine whose waits were interrupted this many times is treated as one that does not finish.
constexpr std::uint16_t kMaxInterruptedWaits = 1000;

}  // namespace

ControlBlock& Scheduler::check_may_suspend(SourceLocation location) {
  ControlBlock* self = current_;
  if (__builtin_expect(no_suspend_ != nullptr, 0)) {
    throw MisuseError("cannot suspend at " + format_location(location) + ": code inside " + no_suspend_ +
                      " must not suspend; spawn a coroutine instead");
  }
  self->suspend_location = location;
  return *self;
}

// Moves the current coroutine to the end of the ready queue and suspends it.
void Scheduler::requeue_and_park(ControlBlock& self) noexcept {
  self.waker().arm();
  self.waker().set_state(WakerState::queued);
  ready_.push_back(&self);
  park(self);
  self.waker().set_state(WakerState::none);
}

// Returns why a wait must not suspend: `cancelled`, or `error` if the scope's deadline has passed (error in
// self.error). Returns `none` if the wait may proceed.
WakeReason Scheduler::check_interrupts(ControlBlock& self) noexcept {
  if (!can_deliver_cancellation(self)) return WakeReason::none;
  WakeReason reason = WakeReason::cancelled;
  if (!(self.flags & (kCancelRequested | kShutdownForced))) {
    reason = WakeReason::error;
    self.error = self.owner->deadline_error(self);
  }
  if (self.interrupted_waits < kMaxInterruptedWaits) {
    ++self.interrupted_waits;
    return reason;
  }
  // The coroutine catches its cancellation and waits again in a loop. It must neither starve the other coroutines nor
  // block a shutdown.
  if ((self.flags & kShutdownForced) && &self != main_) {
    // Abandon the coroutine: its stack is leaked, and no scope may wait for it.
    ++abandoned_;
    if (self.flags & kZombie) clear_zombie(self);
    if (--alive_ == 0 && draining_) main_->waker().wake(WakeReason::event, *this);
    self.waker().set_state(WakerState::ignored);  // nothing may wake it again
    if (self.owner) detach_from_owner(self);
    park(self);
  }
  if (shutting_down_ && !shutdown_forced_) {
    force_shutdown();
    self.interrupted_waits = 0;
  }
  requeue_and_park(self);
  return reason;
}

WakeReason Scheduler::yield_slow(SourceLocation location) {
  ControlBlock& self = check_may_suspend(location);
  if (__builtin_expect(self.flags & kInterrupts, 0)) {
    if (const WakeReason reason = check_interrupts(self); reason != WakeReason::none) return reason;
  }
  requeue_and_park(self);
  return self.waker().reason();
}

WakeReason Scheduler::wait(WaitRequest& request, SourceLocation location, IntrusiveList<WaitEntry>* queue) {
  ControlBlock& self = check_may_suspend(location);
  if (__builtin_expect(self.flags & kInterrupts, 0)) {
    if (const WakeReason reason = check_interrupts(self); reason != WakeReason::none) {
      if (reason == WakeReason::error) request.error = std::exchange(self.error, nullptr);
      return reason;
    }
  }
  if (request.deadline) reactor_.timers().arm(self.wait_timer(), *request.deadline);
  if (queue) queue->push_back(request.entries.front());
  if (self.waker().arm(request)) {
    park(self);
    if (self.waker().reason() == WakeReason::error) request.error = std::exchange(self.error, nullptr);
  } else {
    ++statistics_.ready_without_suspend;
  }
  reactor_.timers().cancel(self.wait_timer());
  const WakeReason reason = self.waker().reason();
  self.waker().disarm();
  return reason;
}

WakeReason Scheduler::sleep_until(TimePoint deadline, SourceLocation location) {
  ControlBlock& self = check_may_suspend(location);
  if (__builtin_expect(self.flags & kInterrupts, 0)) {
    if (const WakeReason reason = check_interrupts(self); reason != WakeReason::none) return reason;
  }
  reactor_.timers().arm(self.wait_timer(), deadline);
  self.waker().arm();
  park(self);
  reactor_.timers().cancel(self.wait_timer());
  self.waker().set_state(WakerState::none);
  return self.waker().reason();
}

void Scheduler::drain(SourceLocation location) {
  ControlBlock& self = check_may_suspend(location);
  // Main may never have suspended, so microtasks may be queued. The loop is bounded because a microtask may queue
  // itself again; detach() drops the rest.
  for (int tick = 0; tick < 64 && !microtasks_.empty() && !shutting_down_; ++tick) run_microtasks();
  ++self.protect_depth;  // a shutdown must not wake main while the other coroutines clean up
  for (;;) {
    if (alive_ == 0 && zombies_ != 0) cancel_zombies();
    if (alive_ == 0 || host_died_) break;
    draining_ = true;
    self.waker().arm();
    park(self);
    self.waker().set_state(WakerState::none);
    draining_ = false;
  }
  --self.protect_depth;
}

void Scheduler::make_zombie(ControlBlock& block) noexcept {
  if (!block.is_alive() || (block.flags & kZombie)) return;
  block.flags |= kZombie;
  ++zombies_;
  if (--alive_ == 0 && draining_) main_->waker().wake(WakeReason::event, *this);
}

void Scheduler::clear_zombie(ControlBlock& block) noexcept {
  block.flags &= static_cast<std::uint16_t>(~kZombie);
  --zombies_;
  ++alive_;
}

// Only zombies are left: makes them ordinary coroutines again and cancels them by a shutdown.
void Scheduler::cancel_zombies() noexcept {
  for (ControlBlock* block : live_coroutines()) {
    if (block->flags & kZombie) clear_zombie(*block);
  }
  shut_down(nullptr);
}

void Scheduler::run_once(SourceLocation location) {
  ControlBlock& self = check_may_suspend(location);
  poll_reactor_nonblocking();
  last_poll_ = reactor_.now();
  // Not yield_slow(): a shutdown cancels main too, and further run_once() calls must still drive it to its end.
  requeue_and_park(self);
  // Registrations made just now must reach the kernel before a host polls backend_fd().
  if (ready_.empty()) poll_reactor_nonblocking();
}

void Scheduler::poll_reactor_nonblocking() noexcept {
  NoSuspend guard(*this, "a callback of an event");
  reactor_.run_once(true);
}

}  // namespace trueasync::detail
