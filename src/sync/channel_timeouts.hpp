// The timers of a channel that has them: one per side, running while somebody waits there and nothing moves.
//
// Those who wait may be futures, which outlive runtimes: the timers go with the reactor they run in.
#pragma once

#include "reactor/reactor.hpp"
#include "trueasync/detail/channel_base.hpp"

namespace trueasync::detail {

class ChannelTimeouts final : public ReactorObserver {
 public:
  ChannelTimeouts(ChannelBase& channel, const ChannelOptions& options) noexcept;
  ~ChannelTimeouts();

  // Somebody is about to wait there.
  void start(ChannelSide which) noexcept;
  // Somebody was served: it counts from now on, if others wait there; otherwise it stops.
  void restart(ChannelSide which) noexcept;
  // Somebody has left: it stops if that was the last.
  void stop_if_idle(ChannelSide which) noexcept;

  void on_reactor_closed() noexcept override;

 private:
  struct SideTimer : Timer {
    SideTimer(ChannelBase& of, ChannelSide which, std::optional<Duration> after) noexcept;
    ChannelBase& channel;
    ChannelSide side;
    std::optional<Duration> timeout;
  };
  SideTimer& clock(ChannelSide which) noexcept { return which == ChannelSide::sender ? senders_ : receivers_; }
  void arm(SideTimer& clock) noexcept;
  void stop(SideTimer& clock) noexcept;
  static void on_deadline(Timer& deadline) noexcept;

  ChannelBase& channel_;
  TimerQueue::Liveness visibility_;
  Reactor* reactor_ = nullptr;  // where the clocks run
  SideTimer senders_;
  SideTimer receivers_;
};

}  // namespace trueasync::detail
