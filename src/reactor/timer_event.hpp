// TimerEvent: a one-shot, periodic or re-armable timer as an event. It reads the clock when it is started. A periodic
// timer keeps the grid of its first start, also while it is stopped between two waits: a late tick does not delay later
// ticks. Missed ticks are counted in the notification's value instead of firing one by one.
//
// Lifetime: may outlive its reactor.
// Errors: a start or rearm() after the reactor has closed fails with MisuseError.
#pragma once

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class TimerEvent final : public Event, public ReactorObserver {
 public:
  TimerEvent(Reactor& reactor, std::chrono::nanoseconds delay, std::chrono::nanoseconds period = {});

  // Fixes the due time to now plus the delay, independent of the start; cancellation tokens use it. With a delay of
  // zero or less the timer has fired.
  void fix_due_time() noexcept;
  // Sets a new delay, counted from now. A running timer is re-armed.
  void rearm(std::chrono::nanoseconds delay);
  // The reactor closes: a stop has no effect any more, and a start fails.
  void on_reactor_closed() noexcept override;
  // Makes the timer fire with an error, for cancellation tokens.
  void set_error(std::exception_ptr error) noexcept { error_ = std::move(error); }

  bool replay(Notification& result) const noexcept override;
  std::string describe() const override;

 protected:
  ~TimerEvent() override;
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;

 private:
  static void on_due(Timer& due_timer) noexcept;
  struct Due : Timer {
    explicit Due(TimerEvent& owner) noexcept : Timer(&TimerEvent::on_due), timer(owner) {}
    TimerEvent& timer;
  };

  TimerQueue::Liveness liveness_kind() const noexcept;

  Reactor* reactor_;  // null after it has closed
  std::chrono::nanoseconds delay_;
  std::chrono::nanoseconds period_;
  TimePoint due_{};
  std::exception_ptr error_;
  bool due_time_fixed_ = false;
  bool on_grid_ = false;  // periodic, and started before
  bool fired_ = false;    // one-shot timers stay fired
  Due due_timer_;
};

}  // namespace trueasync::detail
