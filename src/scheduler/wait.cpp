// Suspending the current coroutine.
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// So many waits may be refused to a cancelled coroutine before it counts as one that refuses to end.
constexpr std::uint16_t kMaxInterruptedWaits = 1000;

}  // namespace

ControlBlock& Scheduler::check_may_suspend(SourceLocation location) {
  ControlBlock* self = current_;
  if (__builtin_expect(no_suspend_ != nullptr, 0)) {
    throw MisuseError("can't suspend at " + format_location(location) + ": this code runs inside " + no_suspend_ +
                      ", which must not wait. Spawn a coroutine for it.");
  }
  self->suspend_location = location;
  return *self;
}

// Everybody who is ready goes first.
void Scheduler::requeue_and_park(ControlBlock& self) noexcept {
  self.waker().arm();
  self.waker().set_state(WakerState::queued);
  ready_.push_back(&self);
  park(self);
  self.waker().set_state(WakerState::none);
}

// Why a wait must not begin: the coroutine is cancelled, or its scope's deadline has passed (`error`, in self.error).
// None: it may.
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
  // It catches its cancellation and waits again, for ever. That must not keep the others from running, nor a shutdown
  // from its end.
  if ((self.flags & kShutdownForced) && &self != main_) {
    // Nothing but giving it up is left: its stack is lost, and nobody shall wait for its end.
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

WakeReason Scheduler::sleep_until(TimePoint when, SourceLocation location) {
  ControlBlock& self = check_may_suspend(location);
  if (__builtin_expect(self.flags & kInterrupts, 0)) {
    if (const WakeReason reason = check_interrupts(self); reason != WakeReason::none) return reason;
  }
  reactor_.timers().arm(self.wait_timer(), when);
  self.waker().arm();
  park(self);
  reactor_.timers().cancel(self.wait_timer());
  self.waker().set_state(WakerState::none);
  return self.waker().reason();
}

void Scheduler::drain(SourceLocation location) {
  ControlBlock& self = check_may_suspend(location);
  // Main may never have suspended. Bounded: those that queue themselves again are dropped in the end.
  for (int tick = 0; tick < 64 && !microtasks_.empty() && !shutting_down_; ++tick) run_microtasks();
  ++self.protect_depth;  // a shutdown must not wake main from this: it waits for the others' cleanup
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

// Only zombies are left: the program is over, and they are asked to end.
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
  // Not a yield: a shutdown cancels main too, and must still be driven to its end by turns.
  requeue_and_park(self);
  // What was started just now must be known to the kernel before a host waits on backend_fd().
  if (ready_.empty()) poll_reactor_nonblocking();
}

void Scheduler::poll_reactor_nonblocking() noexcept {
  NoSuspend guard(*this, "a callback of an event");
  reactor_.run_once(true);
}

}  // namespace trueasync::detail
