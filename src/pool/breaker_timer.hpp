// BreakerTimer: the background timer on which an inactive breaker asks its strategy whether to recover. A microtask
// asks the strategy when the timer fires, so that the strategy, which is user code, does not run inside the reactor.
//
// Lifetime: reference-counted by the breaker and by the microtask queue. May outlive the breaker and the reactor; the
// reactor notifies it when it closes.
#pragma once

#include <chrono>

#include "reactor/reactor.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/host.hpp"
#include "trueasync/pool/circuit_breaker.hpp"

namespace trueasync::detail {

class BreakerTimer final : public Microtask, public Timer, public ReactorObserver {
 public:
  explicit BreakerTimer(CircuitBreaker& breaker) noexcept;

  // Arms the timer in this thread's runtime, to fire once after `delay`. No effect without a runtime, or if it is armed
  // in this runtime already.
  void start(std::chrono::nanoseconds delay) noexcept;
  void stop() noexcept;
  // Called by the destructor of the breaker: no callback reaches the breaker any more.
  void detach_breaker() noexcept;

 private:
  void on_reactor_closed() noexcept override;
  static void on_due(Timer& timer) noexcept;
  static std::exception_ptr check_recovery(Microtask& task) noexcept;

  CircuitBreaker* breaker_;
  Reactor* reactor_ = nullptr;  // where the timer is armed; the reactor outlives its scheduler
};

}  // namespace trueasync::detail
