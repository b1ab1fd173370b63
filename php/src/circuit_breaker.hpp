// Async\CircuitBreaker, its states and its strategies, and how a strategy written in PHP becomes one of the library's.
#pragma once

#include <memory>

#include "support/object.hpp"
#include "trueasync/circuit_breaker.hpp"
#include "trueasync/detail/intrusive_list.hpp"

namespace trueasync::php {

struct CircuitBreakers {
  zend_class_entry* state;
  zend_class_entry* breaker;
  zend_class_entry* strategy;
};
inline CircuitBreakers circuit_breakers{};

// A method that the running coroutine is in: what a strategy throws meanwhile comes out of that method. Elsewhere it is
// an error that nobody awaits.
class StrategyErrorScope final : public detail::ListHook {
 public:
  using Callers = detail::IntrusiveList<StrategyErrorScope>;

  explicit StrategyErrorScope(Callers& callers) noexcept;
  ~StrategyErrorScope() { ListHook::unlink(); }
  StrategyErrorScope(const StrategyErrorScope&) = delete;
  StrategyErrorScope& operator=(const StrategyErrorScope&) = delete;
  Value take() noexcept { return std::move(error_); }
  // False: the running coroutine is in none of these.
  static bool capture(const Callers& callers, zend_object* error) noexcept;

 private:
  const detail::ControlBlock* caller_;
  Value error_;
};

// Calls a CircuitBreakerStrategy. `source` is what it is told of; it is not held, and null once it is gone.
// reportSuccess and reportFailure may not suspend; shouldRecover is asked in a coroutine of its own, where it may.
class PhpStrategy final : public BreakerStrategy, public std::enable_shared_from_this<PhpStrategy> {
 public:
  PhpStrategy(zend_object* strategy, zend_object* told_of, const StrategyErrorScope::Callers& callers) noexcept
      : source(told_of), strategy_(strategy), callers_(callers) {}
  void report_success(CircuitBreaker& breaker) override;
  void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) override;
  bool should_recover(CircuitBreaker& breaker) override;
  void report(GcBuffer& buffer) noexcept { buffer.add(strategy_); }

  zend_object* source;

 private:
  void call_report_method(const char* method, std::initializer_list<zval> arguments);
  void call_should_recover(CircuitBreaker& breaker);

  Value strategy_;
  const StrategyErrorScope::Callers& callers_;  // the source's
  bool is_asking_ = false;
};

// Into a return_value: the case of Async\CircuitBreakerState.
void return_breaker_state(zval* return_value, BreakerState state) noexcept;

void register_circuit_breaker();

}  // namespace trueasync::php
