// Timer as an event: one-shot, periodic or re-armable (TM-04). Inactive until started (SUS-01); the clock is read when
// it starts. A periodic timer keeps to the grid of its first start, also while it is stopped between two waits: a late
// tick does not shift the following ones, and ticks missed while the program was busy are counted in the
// notification's value instead of fired one by one.
// Lifetime: may outlive its reactor; then it can't be started any more. Errors: MisuseError in that case.
#pragma once

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class TimerEvent final : public Event, public ReactorObserver {
 public:
  TimerEvent(Reactor& reactor, std::chrono::nanoseconds delay, std::chrono::nanoseconds period = {});

  // Counts from this moment on, whenever it is started: an absolute deadline, as cancellation tokens have. With a delay
  // of nothing or less it has fired already.
  void fix_due_time() noexcept;
  // Another delay from now on; takes effect at once when it is running.
  void rearm(std::chrono::nanoseconds delay);
  // The reactor goes: stopping does nothing any more, starting is an error.
  void on_reactor_closed() noexcept override;
  // Makes the timer carry an error: a cancellation token that ran out.
  void set_error(std::exception_ptr error) noexcept { error_ = std::move(error); }

  bool replay(Notification& result) const noexcept override;
  std::string describe() const override;

 protected:
  ~TimerEvent() override;
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;

 private:
  static void on_due(Timer& deadline) noexcept;
  struct Due : Timer {
    explicit Due(TimerEvent& owner) noexcept : Timer(&TimerEvent::on_due), timer(owner) {}
    TimerEvent& timer;
  };

  TimerQueue::Liveness visibility() const noexcept;

  Reactor* reactor_;  // null once it is gone
  std::chrono::nanoseconds delay_;
  std::chrono::nanoseconds period_;
  TimePoint due_{};
  std::exception_ptr error_;
  bool anchored_ = false;
  bool on_grid_ = false;  // periodic, and started once
  bool fired_ = false;    // one-shot timers happen for good
  Due deadline_;
};

}  // namespace trueasync::detail
