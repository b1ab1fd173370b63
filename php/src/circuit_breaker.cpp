#include "circuit_breaker.hpp"

extern "C" {
#include "zend_enum.h"
}
#include "generated/circuit_breaker_arginfo.h"
#include "support/library_call.hpp"
#include "trueasync/detail/future_state.hpp"
#include "trueasync/task.hpp"

namespace trueasync::php {

StrategyErrorScope::StrategyErrorScope(Callers& callers) noexcept : caller_(engine::scheduler->running()) {
  callers.push_back(*this);
}

bool StrategyErrorScope::capture(const Callers& callers, zend_object* error) noexcept {
  for (StrategyErrorScope* scope = callers.front(); scope; scope = callers.next_of(*scope)) {
    if (scope->caller_ != engine::scheduler->running()) continue;
    if (!scope->error_) scope->error_ = Value(error);
    return true;
  }
  return false;
}

void PhpStrategy::call_report_method(const char* method, std::initializer_list<zval> arguments) {
  try {
    call_from_library(strategy_.object(), method, arguments);
  } catch (const PhpException& thrown) {
    if (!source || !StrategyErrorScope::capture(callers_, thrown.object())) throw;
  }
}

void PhpStrategy::report_success(CircuitBreaker&) {
  if (!source) return;
  const Value keep_alive(source);
  call_report_method("reportsuccess", {*keep_alive.get()});
}

void PhpStrategy::report_failure(CircuitBreaker&, const std::exception_ptr& error) {
  if (!source) return;
  const Value keep_alive(source);
  const Value failure = Value::adopt(to_php(error));
  call_report_method("reportfailure", {*keep_alive.get(), *failure.get()});
}

// Called by a timer, which must not suspend. The new coroutine keeps the source alive, and with it the breaker.
bool PhpStrategy::should_recover(CircuitBreaker& breaker) {
  if (recovery_check_in_flight_ || !source) return false;
  recovery_check_in_flight_ = true;
  const Coroutine checker =
      detail::spawn_in(
          &detail::detached_owner(), {.name = "circuit breaker"},
          [self = shared_from_this(), &breaker, keep_alive = Value(source)] { self->call_should_recover(breaker); },
          SourceLocation::current())
          .coroutine();
  engine::scheduler->make_zombie(*detail::Access::block(checker));
  return false;
}

void PhpStrategy::call_should_recover(CircuitBreaker& breaker) {
  struct FlagReset {
    bool& flag;
    ~FlagReset() { flag = false; }
  } reset{recovery_check_in_flight_};
  if (!source || breaker.state() != BreakerState::inactive) return;
  Value answer = call_from_library(strategy_.object(), "shouldrecover", {});
  if (source && breaker.strategy().get() == this && zend_is_true(answer.get())) breaker.recover();
}

void return_breaker_state(zval* return_value, BreakerState state) noexcept {
  const char* name = state == BreakerState::active     ? "ACTIVE"
                     : state == BreakerState::inactive ? "INACTIVE"
                                                       : "RECOVERING";
  ZVAL_OBJ_COPY(return_value, zend_enum_get_case_cstr(circuit_breakers.state, name));
}

void register_circuit_breaker() {
  circuit_breakers.state = register_class_Async_CircuitBreakerState();
  circuit_breakers.breaker = register_class_Async_CircuitBreaker();
  circuit_breakers.strategy = register_class_Async_CircuitBreakerStrategy();
}

}  // namespace trueasync::php
