// The timers of a channel that has them: one per side, running while somebody waits there and nothing moves.
#pragma once

#include "reactor/deadline_queue.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/detail/channel_base.hpp"

namespace trueasync::detail {

class ChannelClocks {
 public:
  ChannelClocks(ChannelBase& channel, const ChannelOptions& options) noexcept;

  // Somebody is about to wait there.
  void start(ChannelSide which) noexcept;
  // Somebody was served: it counts from now on, if others wait there; otherwise it stops.
  void restart(ChannelSide which) noexcept;
  // Somebody has left: it stops if that was the last.
  void stop_if_idle(ChannelSide which) noexcept;

 private:
  struct Clock : Deadline {
    Clock(ChannelBase& of, ChannelSide which, std::chrono::nanoseconds after) noexcept;
    ChannelBase& channel;
    ChannelSide side;
    std::chrono::nanoseconds patience;
  };
  Clock& clock(ChannelSide which) noexcept { return which == ChannelSide::sender ? senders_ : receivers_; }
  void arm(Clock& clock) noexcept;
  static void on_deadline(Deadline& deadline) noexcept;

  ChannelBase& channel_;
  DeadlineQueue::Visibility visibility_;
  Clock senders_;
  Clock receivers_;
};

}  // namespace trueasync::detail
