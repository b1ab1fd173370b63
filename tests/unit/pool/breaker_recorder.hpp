// RecordingStrategy: a strategy that records its calls. fail(): a call that fails.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "trueasync/pool/circuit_breaker.hpp"

namespace trueasync {

// Appends one letter per call to `log` and calls the function that the test has set.
struct RecordingStrategy : BreakerStrategy {
  void report_success(CircuitBreaker& breaker) override {
    log += "s";
    if (on_success) on_success(breaker);
  }
  void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) override {
    log += "f";
    errors.push_back(error);
    if (on_failure) on_failure(breaker);
  }
  bool should_recover(CircuitBreaker& breaker) override {
    log += "?";
    return on_recovery_check ? on_recovery_check(breaker) : false;
  }
  void state_changed(CircuitBreaker& breaker, BreakerState state) override {
    log += state == BreakerState::active ? "A" : state == BreakerState::inactive ? "I" : "R";
    if (on_change) on_change(breaker);
  }

  std::string log;
  std::vector<std::exception_ptr> errors;
  std::function<void(CircuitBreaker&)> on_success, on_failure, on_change;
  std::function<bool(CircuitBreaker&)> on_recovery_check;
};

[[noreturn]] inline void fail() { throw std::runtime_error("connection refused"); }

inline void expect_failure(CircuitBreaker& breaker) { EXPECT_THROW(breaker.call(fail), std::runtime_error); }

}  // namespace trueasync
