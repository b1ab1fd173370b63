#include "sync/channel_timeouts.hpp"

#include "reactor/timer_queue.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

ChannelTimeouts::SideTimer::SideTimer(ChannelBase& timed_channel, ChannelSide timed_side,
                                      std::optional<Duration> duration) noexcept
    : Timer(&ChannelTimeouts::on_timeout), channel(timed_channel), side(timed_side), timeout(duration) {}

// Senders wait for a consumer, receivers wait for a producer.
ChannelTimeouts::ChannelTimeouts(ChannelBase& channel, const ChannelOptions& options) noexcept
    : channel_(channel),
      liveness_(options.timer_mode == ChannelTimerMode::foreground ? TimerQueue::Liveness::foreground
                                                                   : TimerQueue::Liveness::background),
      sender_timer_(channel, ChannelSide::sender, options.no_consumer_timeout),
      receiver_timer_(channel, ChannelSide::receiver, options.no_producer_timeout) {}

ChannelTimeouts::~ChannelTimeouts() {
  if (!reactor_) return;
  unlink();
  on_reactor_closed();  // stops the timers
}

void ChannelTimeouts::on_reactor_closed() noexcept {
  stop(sender_timer_);
  stop(receiver_timer_);
  reactor_ = nullptr;
}

void ChannelTimeouts::on_timeout(Timer& timer) noexcept {
  auto& expired = static_cast<SideTimer&>(timer);
  if (expired.channel.side(expired.side).empty()) return;
  expired.channel.close(expired.side == ChannelSide::sender ? CloseReason::no_consumers : CloseReason::no_producers);
}

void ChannelTimeouts::arm(SideTimer& timer) noexcept {
  Scheduler* scheduler = Scheduler::current();
  if (!timer.timeout || !scheduler) return;
  Reactor& reactor = scheduler->reactor();
  if (reactor_ != &reactor) {
    if (reactor_) {  // of an earlier runtime: stop its timers
      unlink();
      on_reactor_closed();
    }
    reactor_ = &reactor;
    reactor.observers().push_back(*this);
  }
  reactor.timers().arm(timer, deadline_after(reactor.now(), *timer.timeout), liveness_);
}

void ChannelTimeouts::stop(SideTimer& timer) noexcept {
  if (timer.is_armed()) reactor_->timers().cancel(timer);
}

void ChannelTimeouts::start(ChannelSide which) noexcept {
  if (!timer_of(which).is_armed()) arm(timer_of(which));
}

void ChannelTimeouts::restart(ChannelSide which) noexcept {
  stop(timer_of(which));
  if (!channel_.side(which).empty()) arm(timer_of(which));
}

void ChannelTimeouts::stop_if_idle(ChannelSide which) noexcept {
  if (channel_.side(which).empty()) stop(timer_of(which));
}

}  // namespace trueasync::detail
