#include "reactor/timer_event.hpp"

namespace trueasync::detail {

TimerEvent::TimerEvent(Reactor& reactor, std::chrono::nanoseconds delay, std::chrono::nanoseconds period)
    : reactor_(reactor), delay_(delay), period_(period), deadline_(*this) {}

DeadlineQueue::Visibility TimerEvent::visibility() const noexcept {
  return is_hidden() ? DeadlineQueue::Visibility::hidden : DeadlineQueue::Visibility::visible;
}

std::exception_ptr TimerEvent::on_start() noexcept {
  try {
    // A periodic timer that is stopped between two waits goes on with its grid.
    if (!anchored_ && !on_grid_) due_ = reactor_.now() + delay_;
    on_grid_ = period_.count() > 0;
    reactor_.deadlines().arm(deadline_, due_, visibility());
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void TimerEvent::on_stop() noexcept { reactor_.deadlines().cancel(deadline_); }

void TimerEvent::anchor() noexcept {
  anchored_ = true;
  due_ = reactor_.now() + delay_;
}

void TimerEvent::rearm(std::chrono::nanoseconds delay) {
  delay_ = delay;
  fired_ = false;
  due_ = reactor_.now() + delay_;
  if (!is_active()) return;
  reactor_.deadlines().cancel(deadline_);
  reactor_.deadlines().arm(deadline_, due_, visibility());
}

bool TimerEvent::replay(Notification& result) const noexcept {
  if (!fired_ && !(anchored_ && reactor_.now() >= due_)) return false;
  result = {1, error_};
  return true;
}

std::string TimerEvent::describe() const {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  if (fired_) return "timer, fired";
  if (!deadline_.is_armed()) return "timer of " + std::to_string(duration_cast<milliseconds>(delay_).count()) + " ms";
  const auto left = duration_cast<milliseconds>(due_ - reactor_.now());
  return "timer in " + std::to_string(left.count()) + " ms";
}

void TimerEvent::on_due(Deadline& deadline) noexcept {
  TimerEvent& timer = static_cast<Due&>(deadline).timer;
  if (timer.period_.count() <= 0) {
    timer.fired_ = true;
    timer.notify({1, timer.error_});
    return;
  }
  const auto late = timer.reactor_.now() - timer.due_;
  const auto ticks = 1 + (late.count() > 0 ? late / timer.period_ : 0);
  timer.due_ += timer.period_ * ticks;
  // The heap has room: this deadline has just left it.
  timer.reactor_.deadlines().arm(timer.deadline_, timer.due_, timer.visibility());
  timer.notify({static_cast<std::uintptr_t>(ticks), timer.error_});
}

}  // namespace trueasync::detail
