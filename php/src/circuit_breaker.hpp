// The interfaces Async\CircuitBreaker and CircuitBreakerStrategy, the enum CircuitBreakerState, and PhpStrategy, which
// calls a strategy that is written in PHP.
#pragma once

#include <memory>

#include "support/object.hpp"
#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/pool/circuit_breaker.hpp"

namespace trueasync::php {

struct CircuitBreakers {
  zend_class_entry* state;
  zend_class_entry* breaker;
  zend_class_entry* strategy;
};
inline CircuitBreakers circuit_breakers{};

// StrategyErrorScope: captures an exception that a strategy throws while a method of the pool runs in this coroutine, so
// that the method can throw it. Without such a scope the exception is an unhandled error.
class StrategyErrorScope final : public detail::ListHook {
 public:
  using Callers = detail::IntrusiveList<StrategyErrorScope>;

  explicit StrategyErrorScope(Callers& callers) noexcept;
  ~StrategyErrorScope() { ListHook::unlink(); }
  StrategyErrorScope(const StrategyErrorScope&) = delete;
  StrategyErrorScope& operator=(const StrategyErrorScope&) = delete;
  Value take() noexcept { return std::move(error_); }
  // Returns false if the current coroutine has no scope in the list.
  static bool capture(const Callers& callers, zend_object* error) noexcept;

 private:
  const detail::ControlBlock* caller_;
  Value error_;
};

// PhpStrategy: calls a CircuitBreakerStrategy. `source` is the object that the strategy is notified of; it is not owned
// and must be set to null when it is destroyed. reportSuccess() and reportFailure() must not suspend. shouldRecover() runs
// in its own coroutine and may suspend.
class PhpStrategy final : public BreakerStrategy, public std::enable_shared_from_this<PhpStrategy> {
 public:
  PhpStrategy(zend_object* strategy, zend_object* source_object, const StrategyErrorScope::Callers& callers) noexcept
      : source(source_object), strategy_(strategy), callers_(callers) {}
  void report_success(CircuitBreaker& breaker) override;
  void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) override;
  bool should_recover(CircuitBreaker& breaker) override;
  void report(GcBuffer& buffer) noexcept { buffer.add(strategy_); }

  zend_object* source;

 private:
  void call_report_method(const char* method, std::initializer_list<zval> arguments);
  void call_should_recover(CircuitBreaker& breaker);

  Value strategy_;
  const StrategyErrorScope::Callers& callers_;  // of the source
  bool recovery_check_in_flight_ = false;
};

// Sets return_value to the case of Async\CircuitBreakerState.
void return_breaker_state(zval* return_value, BreakerState state) noexcept;

void register_circuit_breaker();

}  // namespace trueasync::php
