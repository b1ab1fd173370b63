#include "sync/channel_clocks.hpp"

#include "reactor/deadline_after.hpp"

namespace trueasync::detail {

ChannelClocks::Clock::Clock(ChannelBase& of, ChannelSide which, std::chrono::nanoseconds after) noexcept
    : Deadline(&ChannelClocks::on_deadline), channel(of), side(which), patience(after) {}

ChannelClocks::ChannelClocks(ChannelBase& channel, const ChannelOptions& options) noexcept
    : channel_(channel),
      visibility_(options.timers == ChannelTimers::hard ? DeadlineQueue::Visibility::visible
                                                        : DeadlineQueue::Visibility::hidden),
      senders_(channel, ChannelSide::sender, options.no_consumer_timeout),
      receivers_(channel, ChannelSide::receiver, options.no_producer_timeout) {}

void ChannelClocks::on_deadline(Deadline& deadline) noexcept {
  auto& clock = static_cast<Clock&>(deadline);
  if (clock.channel.side(clock.side).empty()) return;
  clock.channel.close(clock.side == ChannelSide::sender ? CloseReason::no_consumers : CloseReason::no_producers);
}

void ChannelClocks::arm(Clock& clock) noexcept {
  Scheduler* scheduler = Scheduler::current();
  if (clock.patience.count() <= 0 || !scheduler) return;
  Reactor& reactor = scheduler->reactor();
  reactor.deadlines().arm(clock, deadline_after(reactor.now(), clock.patience), visibility_);
}

void ChannelClocks::start(ChannelSide which) noexcept {
  if (!clock(which).is_armed()) arm(clock(which));
}

void ChannelClocks::restart(ChannelSide which) noexcept {
  Clock& clock_of_side = clock(which);
  if (clock_of_side.is_armed()) Scheduler::current()->reactor().deadlines().cancel(clock_of_side);
  if (!channel_.side(which).empty()) arm(clock_of_side);
}

void ChannelClocks::stop_if_idle(ChannelSide which) noexcept {
  if (channel_.side(which).empty() && clock(which).is_armed()) restart(which);
}

}  // namespace trueasync::detail
