#include "capi/c_breaker.hpp"

#include <memory>

#include "capi/handles.hpp"
#include "trueasync/breaker_strategy.hpp"

namespace trueasync::detail {

namespace {

static_assert(static_cast<unsigned>(BreakerState::active) == TA_BREAKER_ACTIVE &&
              static_cast<unsigned>(BreakerState::inactive) == TA_BREAKER_INACTIVE &&
              static_cast<unsigned>(BreakerState::recovering) == TA_BREAKER_RECOVERING);

// Asks the hooks, and does what they want.
class CStrategy final : public BreakerStrategy {
 public:
  CStrategy(const ta_breaker_options& hooks, void* context) noexcept : hooks_(hooks), context_(context) {}

  void report_success(CircuitBreaker& breaker) override {
    change(breaker, hooks_.report_success(context_, static_cast<ta_breaker_state>(breaker.state())));
  }
  void report_failure(CircuitBreaker& breaker, const std::exception_ptr& failure) override {
    ta_error error = empty_error();
    set_error_from(&error, failure);
    change(breaker, hooks_.report_failure(context_, static_cast<ta_breaker_state>(breaker.state()), &error));
  }
  bool should_recover(CircuitBreaker&) override { return hooks_.should_recover(context_); }

 private:
  static void change(CircuitBreaker& breaker, ta_breaker_state wanted) {
    if (wanted == TA_BREAKER_ACTIVE) {
      breaker.activate();
    } else if (wanted == TA_BREAKER_INACTIVE) {
      breaker.deactivate();
    } else if (wanted == TA_BREAKER_RECOVERING) {
      breaker.recover();
    } else {
      throw MisuseError("a strategy of a circuit breaker asked for the state " + std::to_string(wanted));
    }
  }

  ta_breaker_options hooks_;
  void* context_;
};

std::shared_ptr<BreakerStrategy> strategy_of(const ta_breaker_options& options, void* context) {
  const int hooks =
      (options.report_success != nullptr) + (options.report_failure != nullptr) + (options.should_recover != nullptr);
  if (hooks == 3 && options.failure_threshold == 0) return std::make_shared<CStrategy>(options, context);
  if (hooks != 0) throw MisuseError("ta_breaker_options: all three hooks, or `failures`, or neither");
  if (options.failure_threshold == 0) return nullptr;
  ConsecutiveFailuresOptions native;
  native.failures = options.failure_threshold;
  if (options.backoff_ns != 0) {
    native.pause.initial = std::chrono::nanoseconds(options.backoff_ns);
    if (native.pause.max < native.pause.initial) native.pause.max = native.pause.initial;
  }
  return std::make_shared<ConsecutiveFailures>(native);
}

}  // namespace

BreakerOptions breaker_options(const ta_pool_options& pool) {
  BreakerOptions native;
  if (!pool.breaker) return native;
  const ta_breaker_options options = read_options(pool.breaker, "ta_breaker_options");
  native.strategy = strategy_of(options, pool.context);
  if (options.probes != 0) native.probes = options.probes;
  if (options.rounds != 0) native.rounds = options.rounds;
  if (options.recovery_check_interval_ns != 0)
    native.recovery_check_interval = std::chrono::nanoseconds(options.recovery_check_interval_ns);
  return native;
}

}  // namespace trueasync::detail
