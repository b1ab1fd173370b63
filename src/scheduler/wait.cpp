// Suspending the current coroutine.
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// So many waits may be refused to a cancelled coroutine before it counts as one that refuses to end.
constexpr std::uint16_t kRefusedWaitsMax = 1000;

}  // namespace

ControlBlock& Scheduler::check_may_suspend(Place place) {
  ControlBlock* self = current_;
  if (__builtin_expect(no_suspend_ != nullptr, 0)) {
    throw MisuseError("can't suspend at " + place_text(place) + ": this code runs inside " + no_suspend_ +
                      ", which must not wait. Spawn a coroutine for it.");
  }
  self->suspend_place = place;
  return *self;
}

// Everybody who is ready goes first.
void Scheduler::give_way(ControlBlock& self) noexcept {
  self.waker().arm();
  self.waker().set_state(WakerState::queued);
  ready_.push_back(&self);
  park(self);
  self.waker().set_state(WakerState::none);
}

// Why a wait must not begin: the coroutine is cancelled, or its scope's deadline has passed (`error`, in self.error).
// None: it may.
WakeReason Scheduler::refuse_wait(ControlBlock& self) noexcept {
  if (!cancellation_due(self)) return WakeReason::none;
  WakeReason reason = WakeReason::cancelled;
  if (!(self.flags & (kCancelRequested | kForced))) {
    reason = WakeReason::error;
    self.error = self.owner->deadline_error(self);
  }
  if (self.refused_waits < kRefusedWaitsMax) {
    ++self.refused_waits;
    return reason;
  }
  // It catches its cancellation and waits again, for ever. That must not keep the others from running, nor a shutdown
  // from its end.
  if ((self.flags & kForced) && &self != main_) {
    // Nothing but giving it up is left: its stack is lost, and nobody shall wait for its end.
    ++abandoned_;
    if (self.flags & kZombie) revive(self);
    if (--alive_ == 0 && draining_) main_->waker().wake(WakeReason::event, *this);
    self.waker().set_state(WakerState::ignored);  // nothing may wake it again
    if (self.owner) leave_owner(self);
    park(self);
  }
  if (shutting_down_ && !forced_) {
    force_end();
    self.refused_waits = 0;
  }
  give_way(self);
  return reason;
}

WakeReason Scheduler::yield_slowly(Place place) {
  ControlBlock& self = check_may_suspend(place);
  if (__builtin_expect(self.flags & kInterrupts, 0)) {
    if (const WakeReason reason = refuse_wait(self); reason != WakeReason::none) return reason;
  }
  give_way(self);
  return self.waker().reason();
}

WakeReason Scheduler::wait(WaitRequest& request, Place place, IntrusiveList<WaitEntry>* queue) {
  ControlBlock& self = check_may_suspend(place);
  if (__builtin_expect(self.flags & kInterrupts, 0)) {
    if (const WakeReason reason = refuse_wait(self); reason != WakeReason::none) {
      if (reason == WakeReason::error) request.error = std::exchange(self.error, nullptr);
      return reason;
    }
  }
  if (request.deadline) reactor_.deadlines().arm(self.deadline(), *request.deadline);
  if (queue) queue->push_back(request.entries.front());
  if (self.waker().arm(request)) {
    park(self);
    if (self.waker().reason() == WakeReason::error) request.error = std::exchange(self.error, nullptr);
  } else {
    ++statistics_.ready_without_suspend;
  }
  reactor_.deadlines().cancel(self.deadline());
  const WakeReason reason = self.waker().reason();
  self.waker().disarm();
  return reason;
}

WakeReason Scheduler::sleep_until(TimePoint when, Place place) {
  ControlBlock& self = check_may_suspend(place);
  if (__builtin_expect(self.flags & kInterrupts, 0)) {
    if (const WakeReason reason = refuse_wait(self); reason != WakeReason::none) return reason;
  }
  reactor_.deadlines().arm(self.deadline(), when);
  self.waker().arm();
  park(self);
  reactor_.deadlines().cancel(self.deadline());
  self.waker().set_state(WakerState::none);
  return self.waker().reason();
}

void Scheduler::drain(Place place) {
  ControlBlock& self = check_may_suspend(place);
  // Main may never have suspended. Bounded: those that queue themselves again are dropped in the end.
  for (int tick = 0; tick < 64 && !microtasks_.empty() && !shutting_down_; ++tick) run_microtasks();
  ++self.protect_depth;  // a shutdown must not wake main from this: it waits for the others' cleanup
  for (;;) {
    if (alive_ == 0 && zombies_ != 0) end_zombies();
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

void Scheduler::revive(ControlBlock& block) noexcept {
  block.flags &= static_cast<std::uint16_t>(~kZombie);
  --zombies_;
  ++alive_;
}

// Only zombies are left: the program is over, and they are asked to end.
void Scheduler::end_zombies() noexcept {
  for (ControlBlock* block : living()) {
    if (block->flags & kZombie) revive(*block);
  }
  shut_down(nullptr);
}

void Scheduler::turn(Place place) {
  ControlBlock& self = check_may_suspend(place);
  look_without_waiting();
  last_poll_ = reactor_.now();
  // Not a yield: a shutdown cancels main too, and must still be driven to its end by turns.
  give_way(self);
  // What was started just now must be known to the kernel before a host waits on backend_fd().
  if (ready_.empty()) look_without_waiting();
}

void Scheduler::look_without_waiting() noexcept {
  NoSuspend guard(*this, "a callback of an event");
  reactor_.execute(true);
}

}  // namespace trueasync::detail
