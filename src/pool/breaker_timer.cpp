#include "pool/breaker_timer.hpp"

#include "reactor/timer_queue.hpp"

namespace trueasync::detail {

BreakerTimer::BreakerTimer(CircuitBreaker& breaker) noexcept : Timer(&BreakerTimer::on_due), breaker_(&breaker) {
  handler = &BreakerTimer::check_recovery;
  destructor = [](Microtask& self) noexcept { delete static_cast<BreakerTimer*>(&self); };
}

void BreakerTimer::start(std::chrono::nanoseconds delay) noexcept {
  Scheduler* scheduler = Scheduler::current();
  if (!scheduler || reactor_ == &scheduler->reactor()) return;
  stop();
  reactor_ = &scheduler->reactor();
  reactor_->timers().arm(*this, deadline_after(reactor_->now(), delay), TimerQueue::Liveness::background);
  reactor_->observers().push_back(*this);
}

void BreakerTimer::stop() noexcept {
  if (!reactor_) return;
  reactor_->timers().cancel(*this);
  ListHook::unlink();
  reactor_ = nullptr;
}

void BreakerTimer::detach_breaker() noexcept {
  stop();
  breaker_ = nullptr;
  release();
}

void BreakerTimer::on_reactor_closed() noexcept {
  reactor_->timers().cancel(*this);
  reactor_ = nullptr;
}

void BreakerTimer::on_due(Timer& timer) noexcept {
  auto& self = static_cast<BreakerTimer&>(timer);
  self.stop();
  const bool is_queued = self.references > 1;
  if (!is_queued) Scheduler::current()->queue_microtask(self);
}

std::exception_ptr BreakerTimer::check_recovery(Microtask& task) noexcept {
  auto& self = static_cast<BreakerTimer&>(task);
  if (self.breaker_) self.breaker_->check_recovery();
  return nullptr;
}

}  // namespace trueasync::detail
