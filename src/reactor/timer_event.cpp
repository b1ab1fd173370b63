#include "reactor/timer_event.hpp"

#include "reactor/timer_queue.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

TimerEvent::TimerEvent(Reactor& reactor, std::chrono::nanoseconds delay, std::chrono::nanoseconds period)
    : reactor_(&reactor), delay_(delay), period_(period), due_timer_(*this) {
  reactor.observers().push_back(*this);
}

TimerEvent::~TimerEvent() {
  if (reactor_) ListHook::unlink();
}

void TimerEvent::on_reactor_closed() noexcept {
  reactor_->timers().cancel(due_timer_);
  reactor_ = nullptr;
}

TimerQueue::Liveness TimerEvent::liveness_kind() const noexcept {
  return is_background() ? TimerQueue::Liveness::background : TimerQueue::Liveness::foreground;
}

std::exception_ptr TimerEvent::on_start() noexcept {
  try {
    if (!reactor_)
      return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the runtime was destroyed"));
    // A periodic timer that was stopped between two waits keeps its grid.
    if (!due_time_fixed_ && !on_grid_) due_ = deadline_after(reactor_->now(), delay_);
    on_grid_ = period_.count() > 0;
    reactor_->timers().arm(due_timer_, due_, liveness_kind());
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void TimerEvent::on_stop() noexcept {
  if (reactor_) reactor_->timers().cancel(due_timer_);
}

void TimerEvent::fix_due_time() noexcept {
  if (!reactor_) return;
  due_time_fixed_ = true;
  fired_ = delay_.count() <= 0;
  due_ = deadline_after(reactor_->now(), delay_);
}

void TimerEvent::rearm(std::chrono::nanoseconds delay) {
  if (!reactor_) throw MisuseError("rearm " + describe() + ": the runtime was destroyed");
  delay_ = delay;
  fired_ = false;
  due_ = deadline_after(reactor_->now(), delay_);
  if (!is_active()) return;
  reactor_->timers().cancel(due_timer_);
  reactor_->timers().arm(due_timer_, due_, liveness_kind());
}

bool TimerEvent::replay(Notification& result) const noexcept {
  if (!fired_ && !(due_time_fixed_ && reactor_ && reactor_->now() >= due_)) return false;
  result = {1, error_};
  return true;
}

std::string TimerEvent::describe() const {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  if (fired_) return "timer, fired";
  if (!due_timer_.is_armed()) return "timer of " + std::to_string(duration_cast<milliseconds>(delay_).count()) + " ms";
  const auto remaining = duration_cast<milliseconds>(due_ - reactor_->now());
  return "timer in " + std::to_string(remaining.count()) + " ms";
}

void TimerEvent::on_due(Timer& due_timer) noexcept {
  TimerEvent& timer = static_cast<Due&>(due_timer).timer;
  if (timer.period_.count() <= 0) {
    timer.fired_ = true;
    timer.notify({1, timer.error_});
    return;
  }
  const auto late = timer.reactor_->now() - timer.due_;
  const auto missed = late.count() > 0 ? late / timer.period_ : 0;
  timer.due_ = deadline_after(timer.due_ + missed * timer.period_, timer.period_);
  // Cannot throw: the heap still has the slot that this timer just freed.
  timer.reactor_->timers().arm(timer.due_timer_, timer.due_, timer.liveness_kind());
  timer.notify({static_cast<std::uintptr_t>(1 + missed), timer.error_});
}

}  // namespace trueasync::detail
