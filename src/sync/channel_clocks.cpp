#include "sync/channel_clocks.hpp"

#include "reactor/deadline_after.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

ChannelClocks::Clock::Clock(ChannelBase& of, ChannelSide which, std::chrono::nanoseconds after) noexcept
    : Deadline(&ChannelClocks::on_deadline), channel(of), side(which), patience(after) {}

ChannelClocks::ChannelClocks(ChannelBase& channel, const ChannelOptions& options) noexcept
    : channel_(channel),
      visibility_(options.timers == ChannelTimers::hard ? DeadlineQueue::Visibility::visible
                                                        : DeadlineQueue::Visibility::hidden),
      senders_(channel, ChannelSide::sender, options.no_consumer_timeout),
      receivers_(channel, ChannelSide::receiver, options.no_producer_timeout) {}

ChannelClocks::~ChannelClocks() {
  if (!reactor_) return;
  unlink();
  on_reactor_gone();
}

void ChannelClocks::on_reactor_gone() noexcept {
  stop(senders_);
  stop(receivers_);
  reactor_ = nullptr;
}

void ChannelClocks::on_deadline(Deadline& deadline) noexcept {
  auto& clock = static_cast<Clock&>(deadline);
  if (clock.channel.side(clock.side).empty()) return;
  clock.channel.close(clock.side == ChannelSide::sender ? CloseReason::no_consumers : CloseReason::no_producers);
}

void ChannelClocks::arm(Clock& clock) noexcept {
  Scheduler* scheduler = Scheduler::current();
  if (clock.patience.count() <= 0 || !scheduler) return;
  Reactor& reactor = scheduler->reactor();
  if (reactor_ != &reactor) {
    if (reactor_) {
      unlink();
      on_reactor_gone();
    }
    reactor_ = &reactor;
    reactor.guests().push_back(*this);
  }
  reactor.deadlines().arm(clock, deadline_after(reactor.now(), clock.patience), visibility_);
}

void ChannelClocks::stop(Clock& clock) noexcept {
  if (clock.is_armed()) reactor_->deadlines().cancel(clock);
}

void ChannelClocks::start(ChannelSide which) noexcept {
  if (!clock(which).is_armed()) arm(clock(which));
}

void ChannelClocks::restart(ChannelSide which) noexcept {
  stop(clock(which));
  if (!channel_.side(which).empty()) arm(clock(which));
}

void ChannelClocks::stop_if_idle(ChannelSide which) noexcept {
  if (channel_.side(which).empty()) stop(clock(which));
}

}  // namespace trueasync::detail
