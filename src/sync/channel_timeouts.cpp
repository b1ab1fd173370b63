#include "sync/channel_timeouts.hpp"

#include "reactor/timer_queue.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

ChannelTimeouts::SideTimer::SideTimer(ChannelBase& of, ChannelSide which, std::optional<Duration> after) noexcept
    : Timer(&ChannelTimeouts::on_deadline), channel(of), side(which), timeout(after) {}

ChannelTimeouts::ChannelTimeouts(ChannelBase& channel, const ChannelOptions& options) noexcept
    : channel_(channel),
      visibility_(options.timer_mode == ChannelTimerMode::foreground ? TimerQueue::Liveness::foreground
                                                                     : TimerQueue::Liveness::background),
      senders_(channel, ChannelSide::sender, options.no_consumer_timeout),
      receivers_(channel, ChannelSide::receiver, options.no_producer_timeout) {}

ChannelTimeouts::~ChannelTimeouts() {
  if (!reactor_) return;
  unlink();
  on_reactor_closed();
}

void ChannelTimeouts::on_reactor_closed() noexcept {
  stop(senders_);
  stop(receivers_);
  reactor_ = nullptr;
}

void ChannelTimeouts::on_deadline(Timer& deadline) noexcept {
  auto& clock = static_cast<SideTimer&>(deadline);
  if (clock.channel.side(clock.side).empty()) return;
  clock.channel.close(clock.side == ChannelSide::sender ? CloseReason::no_consumers : CloseReason::no_producers);
}

void ChannelTimeouts::arm(SideTimer& clock) noexcept {
  Scheduler* scheduler = Scheduler::current();
  if (!clock.timeout || !scheduler) return;
  Reactor& reactor = scheduler->reactor();
  if (reactor_ != &reactor) {
    if (reactor_) {
      unlink();
      on_reactor_closed();
    }
    reactor_ = &reactor;
    reactor.observers().push_back(*this);
  }
  reactor.timers().arm(clock, deadline_after(reactor.now(), *clock.timeout), visibility_);
}

void ChannelTimeouts::stop(SideTimer& clock) noexcept {
  if (clock.is_armed()) reactor_->timers().cancel(clock);
}

void ChannelTimeouts::start(ChannelSide which) noexcept {
  if (!clock(which).is_armed()) arm(clock(which));
}

void ChannelTimeouts::restart(ChannelSide which) noexcept {
  stop(clock(which));
  if (!channel_.side(which).empty()) arm(clock(which));
}

void ChannelTimeouts::stop_if_idle(ChannelSide which) noexcept {
  if (channel_.side(which).empty()) stop(clock(which));
}

}  // namespace trueasync::detail
