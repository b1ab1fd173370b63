#include "trueasync/pool/circuit_breaker.hpp"

#include "pool/breaker_timer.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync {

ServiceUnavailableError::~ServiceUnavailableError() = default;
BreakerStrategy::~BreakerStrategy() = default;
void BreakerStrategy::state_changed(CircuitBreaker&, BreakerState) {}

namespace {

constexpr const char* kStrategyContext = "the strategy of a circuit breaker";

// Stores the message only: a stored exception could keep other objects alive.
void store_message(std::string& text, const std::exception_ptr& error) noexcept {
  try {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& known) {
      text = known.what();
    } catch (...) {
      text = "an error of an unknown type";
    }
  } catch (...) {
    text.clear();
  }
}

}  // namespace

const char* to_string(BreakerState state) noexcept {
  switch (state) {
    case BreakerState::active:
      return "active";
    case BreakerState::inactive:
      return "inactive";
    case BreakerState::recovering:
      return "recovering";
  }
  return "unknown";
}

CircuitBreaker::CircuitBreaker(BreakerOptions options) : options_(std::move(options)) {
  if (options_.probes == 0 || options_.probes > UINT16_MAX || options_.rounds == 0 || options_.rounds > 16)
    throw MisuseError("BreakerOptions: probes must be 1 to 65535 and rounds 1 to 16");
  if (options_.recovery_check_interval.count() <= 0)
    throw MisuseError("BreakerOptions::recovery_check_interval must be greater than 0");
  set_strategy(std::move(options_.strategy));
}

CircuitBreaker::~CircuitBreaker() {
  if (timer_) timer_->detach_breaker();
}

void CircuitBreaker::set_strategy(std::shared_ptr<BreakerStrategy> strategy) {
  if (strategy && !timer_) timer_ = new detail::BreakerTimer(*this);
  strategy_.swap(strategy);
  update_recovery_timer();
}

void CircuitBreaker::set_observer(Observer observer, void* context) noexcept {
  observer_ = observer;
  observer_context_ = context;
}

ServiceUnavailableError CircuitBreaker::unavailable_error() const {
  std::string text = "service unavailable: the circuit breaker is ";
  text += to_string(state_);
  if (state_ == BreakerState::recovering) text += " and all probes are in flight";
  if (!last_failure_.empty()) text += "; last failure: " + last_failure_;
  return ServiceUnavailableError(text);
}

// Runs user code, which must not suspend. Its exceptions are reported as unhandled and do not propagate.
template <class F>
void CircuitBreaker::run_user_code(F&& user_code) noexcept {
  const bool was_in_strategy = std::exchange(in_strategy_, true);
  detail::Scheduler* scheduler = detail::Scheduler::current();
  if (!scheduler || !scheduler->running()) {
    user_code();
  } else {
    std::exception_ptr error;
    try {
      detail::Scheduler::NoSuspend guard(*scheduler, kStrategyContext);
      user_code();
    } catch (...) {
      error = std::current_exception();
    }
    detail::ControlBlock& block = scheduler->running()->id ? *scheduler->running() : *scheduler->main();
    if (error) scheduler->report_unhandled(block, std::move(error), kStrategyContext);
  }
  in_strategy_ = was_in_strategy;
}

template <class F>
void CircuitBreaker::notify_strategy(F&& notify) noexcept {
  if (!strategy_) return;
  const std::shared_ptr<BreakerStrategy> keep_alive = strategy_;  // the strategy may replace itself
  run_user_code([&] { notify(*keep_alive); });
}

bool CircuitBreaker::change(BreakerState to) noexcept {
  if (state_ == to) return false;
  const BreakerState from = std::exchange(state_, to);
  if (++period_ == 0) period_ = 1;
  probes_in_flight_ = 0;
  begin_ramp();
  if (to == BreakerState::active) last_failure_.clear();
  update_recovery_timer();
  if (observer_) observer_(observer_context_, from, to);
  // If the observer changed the state again, the strategy was notified by that change.
  if (state_ == to) notify_strategy([&](BreakerStrategy& strategy) { strategy.state_changed(*this, to); });
  return true;
}

void CircuitBreaker::begin_ramp() noexcept {
  probe_limit_ = state_ == BreakerState::recovering ? options_.probes : 0;
  round_successes_ = 0;
  rounds_done_ = 0;
}

BreakerPermit CircuitBreaker::admit_probe() noexcept {
  if (state_ == BreakerState::recovering && probes_in_flight_ < probe_limit_) {
    ++probes_in_flight_;
    return BreakerPermit(period_);
  }
  ++rejected_;
  update_recovery_timer();  // the breaker may have become inactive without a runtime, or in a runtime that has ended
  return {};
}

// Returns true if the permit belonged to a probe of the current recovery.
bool CircuitBreaker::end_probe(BreakerPermit permit) noexcept {
  if (state_ != BreakerState::recovering || permit.period_ != period_) return false;
  --probes_in_flight_;
  return true;
}

void CircuitBreaker::release_permit(BreakerPermit permit) noexcept { end_probe(permit); }

void CircuitBreaker::record_success(BreakerPermit permit) noexcept {
  if (permit && permit.period_ != period_) return;
  if (end_probe(permit) && ++round_successes_ >= probe_limit_ && !is_ramped_up()) {
    round_successes_ = 0;
    if (++rounds_done_ < options_.rounds) probe_limit_ *= 2;
  }
  if (!in_strategy_) notify_strategy([&](BreakerStrategy& strategy) { strategy.report_success(*this); });
}

bool CircuitBreaker::counts_as_failure(const std::exception_ptr& error) noexcept {
  bool counts = true;
  if (options_.is_failure) run_user_code([&] { counts = options_.is_failure(error); });
  return counts;
}

void CircuitBreaker::report_failure(std::exception_ptr error, BreakerPermit permit) noexcept {
  if (permit && permit.period_ != period_) return;
  if (!error) error = std::make_exception_ptr(Error("failure reported without an error"));
  if (!counts_as_failure(error)) return report_success(permit);
  store_message(last_failure_, error);
  end_probe(permit);
  begin_ramp();
  if (!in_strategy_) notify_strategy([&](BreakerStrategy& strategy) { strategy.report_failure(*this, error); });
}

void CircuitBreaker::update_recovery_timer() noexcept {
  if (!timer_) return;
  if (state_ == BreakerState::inactive && strategy_) {
    timer_->start(options_.recovery_check_interval);
  } else {
    timer_->stop();
  }
}

void CircuitBreaker::check_recovery() noexcept {
  if (state_ != BreakerState::inactive) return;
  bool recovers = false;
  notify_strategy([&](BreakerStrategy& strategy) { recovers = strategy.should_recover(*this); });
  if (recovers) recover();
  update_recovery_timer();
}

}  // namespace trueasync
