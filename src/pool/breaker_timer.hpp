// The timer on which a breaker asks its strategy. Its deadline is hidden; when it is due the question is asked by a
// microtask, since no user code runs inside the reactor.
//
// Lifetime: counted as a microtask is, by the breaker and by the queue, so it may outlive the breaker; it may outlive the
// reactor too, which tells it.
#pragma once

#include <chrono>

#include "reactor/reactor.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/circuit_breaker.hpp"
#include "trueasync/microtask.hpp"

namespace trueasync::detail {

class BreakerTimer final : public Microtask, public Timer, public ReactorObserver {
 public:
  explicit BreakerTimer(CircuitBreaker& breaker) noexcept;

  // Once, after `delay`, in the runtime of this thread; without one it does nothing. Running already there: it goes on.
  void start(std::chrono::nanoseconds delay) noexcept;
  void stop() noexcept;
  // The breaker goes.
  void detach_breaker() noexcept;

 private:
  void on_reactor_closed() noexcept override;
  static void on_due(Timer& deadline) noexcept;
  static std::exception_ptr check_recovery(Microtask& task) noexcept;

  CircuitBreaker* breaker_;
  Reactor* reactor_ = nullptr;  // where the deadline is armed; it outlives its scheduler
};

}  // namespace trueasync::detail
