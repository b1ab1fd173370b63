#include "pool/breaker_clock.hpp"

#include "reactor/deadline_after.hpp"

namespace trueasync::detail {

BreakerClock::BreakerClock(CircuitBreaker& breaker) noexcept : Deadline(&BreakerClock::on_due), breaker_(&breaker) {
  handler = &BreakerClock::ask;
  destructor = [](Microtask& self) noexcept { delete static_cast<BreakerClock*>(&self); };
}

void BreakerClock::start(std::chrono::nanoseconds delay) noexcept {
  Scheduler* here = Scheduler::current();
  if (!here || (scheduler_ == here)) return;
  stop();
  Reactor& reactor = here->reactor();
  reactor.deadlines().arm(*this, deadline_after(reactor.now(), delay), DeadlineQueue::Visibility::hidden);
  reactor.guests().push_back(*this);
  scheduler_ = here;
}

void BreakerClock::stop() noexcept {
  if (!scheduler_) return;
  scheduler_->reactor().deadlines().cancel(*this);
  ListHook::unlink();
  scheduler_ = nullptr;
}

void BreakerClock::leave() noexcept {
  stop();
  breaker_ = nullptr;
  release();
}

void BreakerClock::on_reactor_gone() noexcept {
  scheduler_->reactor().deadlines().cancel(*this);
  scheduler_ = nullptr;
}

void BreakerClock::on_due(Deadline& deadline) noexcept {
  auto& self = static_cast<BreakerClock&>(deadline);
  Scheduler& scheduler = *self.scheduler_;
  self.stop();
  if (!std::exchange(self.queued_, true)) scheduler.queue_microtask(self);
}

std::exception_ptr BreakerClock::ask(Microtask& task) noexcept {
  auto& self = static_cast<BreakerClock&>(task);
  self.queued_ = false;
  if (self.breaker_) self.breaker_->ask_strategy();
  return nullptr;
}

}  // namespace trueasync::detail
