#include "pool/breaker_clock.hpp"

#include "reactor/deadline_after.hpp"

namespace trueasync::detail {

BreakerClock::BreakerClock(CircuitBreaker& breaker) noexcept : Deadline(&BreakerClock::on_due), breaker_(&breaker) {
  handler = &BreakerClock::ask;
  destructor = [](Microtask& self) noexcept { delete static_cast<BreakerClock*>(&self); };
}

void BreakerClock::start(std::chrono::nanoseconds delay) noexcept {
  Scheduler* scheduler = Scheduler::current();
  if (!scheduler || reactor_ == &scheduler->reactor()) return;
  stop();
  reactor_ = &scheduler->reactor();
  reactor_->deadlines().arm(*this, deadline_after(reactor_->now(), delay), DeadlineQueue::Visibility::hidden);
  reactor_->guests().push_back(*this);
}

void BreakerClock::stop() noexcept {
  if (!reactor_) return;
  reactor_->deadlines().cancel(*this);
  ListHook::unlink();
  reactor_ = nullptr;
}

void BreakerClock::leave() noexcept {
  stop();
  breaker_ = nullptr;
  release();
}

void BreakerClock::on_reactor_gone() noexcept {
  reactor_->deadlines().cancel(*this);
  reactor_ = nullptr;
}

void BreakerClock::on_due(Deadline& deadline) noexcept {
  auto& self = static_cast<BreakerClock&>(deadline);
  self.stop();
  const bool is_queued = self.references > 1;
  if (!is_queued) Scheduler::current()->queue_microtask(self);
}

std::exception_ptr BreakerClock::ask(Microtask& task) noexcept {
  auto& self = static_cast<BreakerClock&>(task);
  if (self.breaker_) self.breaker_->ask_strategy();
  return nullptr;
}

}  // namespace trueasync::detail
