// Async\CircuitBreaker, its states and its strategies, and how a strategy written in PHP becomes one of the library's.
#pragma once

#include "support/object.hpp"
#include "trueasync/circuit_breaker.hpp"

namespace trueasync::php {

struct CircuitBreakers {
  zend_class_entry* state;
  zend_class_entry* breaker;
  zend_class_entry* strategy;
};
inline CircuitBreakers circuit_breakers{};

// Calls a CircuitBreakerStrategy. `source` is what it is told of; it is not held, and null once it is gone.
// reportSuccess and reportFailure may not suspend; shouldRecover is asked in a coroutine of its own, where it may.
class PhpStrategy final : public BreakerStrategy, public std::enable_shared_from_this<PhpStrategy> {
 public:
  PhpStrategy(zend_object* strategy, zend_object* told_of) noexcept : strategy_(strategy), source(told_of) {}
  void report_success(CircuitBreaker& breaker) override;
  void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) override;
  bool should_recover(CircuitBreaker& breaker) override;
  void report(GcBuffer& buffer) noexcept { buffer.add(strategy_); }

 private:
  void ask(CircuitBreaker& breaker);

  Value strategy_;
  bool is_asking_ = false;

 public:
  zend_object* source;
};

// Into a return_value: the case of Async\CircuitBreakerState.
void return_breaker_state(zval* return_value, BreakerState state) noexcept;

void register_circuit_breaker();

}  // namespace trueasync::php
