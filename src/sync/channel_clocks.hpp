// The timers of a channel that has them: one per side, running while somebody waits there and nothing moves.
//
// Those who wait may be futures, which outlive runtimes: the timers go with the reactor they run in.
#pragma once

#include "reactor/reactor.hpp"
#include "trueasync/detail/channel_base.hpp"

namespace trueasync::detail {

class ChannelClocks final : public ReactorGuest {
 public:
  ChannelClocks(ChannelBase& channel, const ChannelOptions& options) noexcept;
  ~ChannelClocks();

  // Somebody is about to wait there.
  void start(ChannelSide which) noexcept;
  // Somebody was served: it counts from now on, if others wait there; otherwise it stops.
  void restart(ChannelSide which) noexcept;
  // Somebody has left: it stops if that was the last.
  void stop_if_idle(ChannelSide which) noexcept;

  void on_reactor_gone() noexcept override;

 private:
  struct Clock : Deadline {
    Clock(ChannelBase& of, ChannelSide which, std::chrono::nanoseconds after) noexcept;
    ChannelBase& channel;
    ChannelSide side;
    std::chrono::nanoseconds patience;
  };
  Clock& clock(ChannelSide which) noexcept { return which == ChannelSide::sender ? senders_ : receivers_; }
  void arm(Clock& clock) noexcept;
  void stop(Clock& clock) noexcept;
  static void on_deadline(Deadline& deadline) noexcept;

  ChannelBase& channel_;
  DeadlineQueue::Visibility visibility_;
  Reactor* reactor_ = nullptr;  // where the clocks run
  Clock senders_;
  Clock receivers_;
};

}  // namespace trueasync::detail
