// ChannelTimeouts: the two timeouts of a channel, one timer per side. A timer runs while its side has waiters and
// starts again when one of them is fulfilled. When it fires, it closes the channel.
//
// Lifetime: waiters may be futures, which can outlive the runtime. The timers are stopped when their reactor is closed.
#pragma once

#include "reactor/reactor.hpp"
#include "trueasync/detail/channel_base.hpp"

namespace trueasync::detail {

class ChannelTimeouts final : public ReactorObserver {
 public:
  ChannelTimeouts(ChannelBase& channel, const ChannelOptions& options) noexcept;
  ~ChannelTimeouts();

  // Called before a waiter is added.
  void start(ChannelSide which) noexcept;
  // Called when a waiter was fulfilled. Starts the timer again, or stops it if the side has no waiters.
  void restart(ChannelSide which) noexcept;
  // Called when a waiter was removed. Stops the timer if the side has no waiters.
  void stop_if_idle(ChannelSide which) noexcept;

  void on_reactor_closed() noexcept override;

 private:
  struct SideTimer : Timer {
    SideTimer(ChannelBase& timed_channel, ChannelSide timed_side, std::optional<Duration> duration) noexcept;
    ChannelBase& channel;
    ChannelSide side;
    std::optional<Duration> timeout;
  };
  SideTimer& timer_of(ChannelSide which) noexcept {
    return which == ChannelSide::sender ? sender_timer_ : receiver_timer_;
  }
  void arm(SideTimer& timer) noexcept;
  void stop(SideTimer& timer) noexcept;
  static void on_timeout(Timer& timer) noexcept;

  ChannelBase& channel_;
  TimerQueue::Liveness liveness_;
  Reactor* reactor_ = nullptr;  // the reactor of armed timers; null if none was armed
  SideTimer sender_timer_;
  SideTimer receiver_timer_;
};

}  // namespace trueasync::detail
