// CircuitBreaker: keeps callers away from a service that is down. Active: all pass. Inactive: all are refused at once
// with ServiceUnavailableError. Recovering: a few probes pass, more with every round that succeeds; the others are refused.
//
//   ta::CircuitBreaker breaker({.strategy = std::make_shared<ta::ConsecutiveFailures>()});
//   auto reply = breaker.call([&] { return ask(service); });
//
// It is switched by hand, or by a strategy that is told of every outcome; while the breaker is inactive the runtime asks
// the strategy on a timer whether to try again. That timer is hidden: it neither keeps the program alive nor hides a
// deadlock.
//
// Owns: a share of its strategy. Lifetime: outlives the calls it admitted; may outlive the runtime. Threads: one
// runtime's. Errors: call throws ServiceUnavailableError and what the function throws; the constructor MisuseError.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"
#include "trueasync/export.hpp"

namespace trueasync {

namespace detail {
class BreakerTimer;
}

enum class BreakerState : std::uint8_t { active, inactive, recovering };

TRUEASYNC_EXPORT const char* to_string(BreakerState state) noexcept;

// A circuit breaker refused: the service was not asked.
class TRUEASYNC_EXPORT ServiceUnavailableError : public Error {
 public:
  using Error::Error;
  ~ServiceUnavailableError() override;
};

class CircuitBreaker;

// Decides when a breaker changes its state, by calling activate(), deactivate() or recover() on it, from any of these.
// They must not suspend (MisuseError) nor destroy the breaker; replacing the strategy is fine, and what is reported from
// within them reaches no strategy. What they throw never touches the call that is reported: it goes to the runtime as an
// error nobody awaits, and the breaker stays as it is. (Where there is no runtime it ends the program.)
class TRUEASYNC_EXPORT BreakerStrategy {
 public:
  virtual ~BreakerStrategy();
  virtual void report_success(CircuitBreaker& breaker) = 0;
  // `error` may be kept; it is never null.
  virtual void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) = 0;
  // Asked every BreakerOptions::ask_every while the breaker is inactive; true: it recovers.
  virtual bool should_recover(CircuitBreaker& breaker) = 0;
  // After each change, by whomever.
  virtual void state_changed(CircuitBreaker& breaker, BreakerState state);
};

struct BreakerOptions {
  std::shared_ptr<BreakerStrategy> strategy = {};  // none: switched by hand only
  // While it recovers: how many probes may be under way at once in the first round. A round is over when as many have
  // succeeded; each further one is twice as wide. After `rounds` of them it is ramped up.
  std::uint32_t probes = 1;
  std::uint32_t rounds = 3;
  std::chrono::nanoseconds recovery_check_interval = std::chrono::milliseconds(100);
  // Whether an error means that the service is in trouble; the others count as answers. Without it all of them do.
  std::function<bool(const std::exception_ptr&)> is_failure = {};
};

// That a call was admitted, and in which period between two changes of state. A report with a permit of an earlier
// period says nothing about the service of now: it is dropped.
class BreakerPermit {
 public:
  BreakerPermit() = default;  // no call's: a health check, for example; always of now
  explicit operator bool() const noexcept { return period_ != 0; }

 private:
  friend class CircuitBreaker;
  explicit BreakerPermit(std::uint32_t period) noexcept : period_(period) {}
  std::uint32_t period_ = 0;
};

class TRUEASYNC_EXPORT CircuitBreaker {
 public:
  explicit CircuitBreaker(BreakerOptions options = {});
  ~CircuitBreaker();
  CircuitBreaker(const CircuitBreaker&) = delete;
  CircuitBreaker& operator=(const CircuitBreaker&) = delete;

  BreakerState state() const noexcept { return state_; }
  bool is_active() const noexcept { return state_ == BreakerState::active; }

  // By hand. Each says whether it changed anything: activate() and deactivate() come from any other state, recover()
  // from inactive only.
  bool activate() noexcept { return change(BreakerState::active); }
  bool deactivate() noexcept { return change(BreakerState::inactive); }
  bool recover() noexcept { return state_ == BreakerState::inactive && change(BreakerState::recovering); }

  // Guards one call. A function that returns has succeeded, one that throws has failed, unless is_failure says otherwise;
  // a cancelled one is neither.
  template <class F>
  auto call(F&& function) -> std::invoke_result_t<F>;

  // For those who guard something else than a call, as the pool does: admit, then exactly one of report_success,
  // report_failure, release_permit with the permit. False: refused. While it recovers the permit is a probe's.
  BreakerPermit admit() noexcept { return is_active() ? BreakerPermit(period_) : admit_probe(); }
  void report_success(BreakerPermit permit = {}) noexcept {
    if (strategy_ || !is_active()) record_success(permit);
  }
  // A null error is replaced by one that says so. Without a permit it counts as well.
  void report_failure(std::exception_ptr error, BreakerPermit permit = {}) noexcept;
  // Admitted, but it came to nothing: cancelled, or the caller ran out of time.
  void release_permit(BreakerPermit permit) noexcept;
  // What a refused caller gets: the state, and the last failure in words.
  ServiceUnavailableError unavailable_error() const;

  void set_strategy(std::shared_ptr<BreakerStrategy> strategy);
  const std::shared_ptr<BreakerStrategy>& strategy() const noexcept { return strategy_; }
  // Told of every change, right after it and before the strategy; null: nobody. It may call everything here.
  using Observer = void (*)(void* context, BreakerState from, BreakerState to) noexcept;
  void set_observer(Observer observer, void* context) noexcept;

  // While it recovers: how many probes may be under way at once, how many are, and whether all rounds succeeded.
  std::uint32_t probe_limit() const noexcept { return probe_limit_; }
  std::uint32_t probes_in_flight() const noexcept { return probes_under_way_; }
  bool is_ramped_up() const noexcept { return rounds_done_ >= options_.rounds; }
  std::uint64_t refused() const noexcept { return refused_; }

 private:
  friend class detail::BreakerTimer;
  template <class F>
  void run_user_code(F&& user_code) noexcept;
  template <class F>
  void notify_strategy(F&& tell) noexcept;
  bool change(BreakerState to) noexcept;
  void begin_ramp() noexcept;
  BreakerPermit admit_probe() noexcept;
  bool end_probe(BreakerPermit permit) noexcept;
  void record_success(BreakerPermit permit) noexcept;
  bool counts_as_failure(const std::exception_ptr& error) noexcept;
  void update_recovery_timer() noexcept;
  void check_recovery() noexcept;

  BreakerState state_ = BreakerState::active;
  bool in_strategy_ = false;  // a strategy is being told or asked
  std::uint32_t period_ = 1;
  std::uint32_t probe_limit_ = 0;
  std::uint32_t probes_under_way_ = 0;
  std::uint32_t round_successes_ = 0;
  std::uint32_t rounds_done_ = 0;
  std::uint64_t refused_ = 0;
  std::shared_ptr<BreakerStrategy> strategy_;
  Observer observer_ = nullptr;
  void* observer_context_ = nullptr;
  detail::BreakerTimer* clock_ = nullptr;  // counted; made when it is needed first
  BreakerOptions options_;
  std::string last_failure_;
};

template <class F>
auto CircuitBreaker::call(F&& function) -> std::invoke_result_t<F> {
  BreakerPermit permit = admit();
  if (!permit) throw unavailable_error();
  using Result = std::invoke_result_t<F>;
  try {
    if constexpr (std::is_void_v<Result>) {
      std::forward<F>(function)();
      report_success(std::exchange(permit, {}));
    } else if constexpr (std::is_reference_v<Result>) {
      Result result = std::forward<F>(function)();
      report_success(std::exchange(permit, {}));
      return static_cast<Result>(result);
    } else {
      Result result = std::forward<F>(function)();
      report_success(std::exchange(permit, {}));
      return result;
    }
  } catch (const Cancelled&) {
    release_permit(permit);
    throw;
  } catch (...) {
    if (permit) report_failure(std::current_exception(), permit);
    throw;
  }
}

}  // namespace trueasync
