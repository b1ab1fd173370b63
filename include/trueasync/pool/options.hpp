// PoolOptions: how to create a pool. PoolOptions<T> takes callables; PoolOptions<void> takes function pointers that get
// the resource and a user pointer, for C.
// Hooks may suspend, except when try_acquire() calls them. A hook that throws rejects the resource, and its error goes
// to the caller.
//
// Thread safety: plain values.
// Errors: the pool throws MisuseError for invalid options: no factory, max 0, min > max, a negative backoff, any other
// time that is not positive.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "trueasync/error.hpp"
#include "trueasync/export.hpp"
#include "trueasync/histogram.hpp"
#include "trueasync/pool/circuit_breaker.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

// Errors of a pool. A PoolError means that the pool cannot grant resources; PoolTimeoutError means that
// none became available in time and reports the cause. Errors of the factory reach the caller unchanged.
//
// Thread safety: plain values.

// PoolError: the base class of errors of the pool itself.
class TRUEASYNC_EXPORT PoolError : public Error {
 public:
  using Error::Error;
  ~PoolError() override;
};

// PoolClosedError: the pool is closed.
class TRUEASYNC_EXPORT PoolClosedError : public PoolError {
 public:
  using PoolError::PoolError;
  ~PoolClosedError() override;
};

// PoolOverloadedError: PoolOptions::max_waiting coroutines already wait.
class TRUEASYNC_EXPORT PoolOverloadedError : public PoolError {
 public:
  using PoolError::PoolError;
  ~PoolOverloadedError() override;
};

// LeaseHolder: a coroutine that holds a lease, and for how long.
struct LeaseHolder {
  std::uint64_t coroutine = 0;  // id; 0: acquired outside a coroutine
  std::string name;
  // The acquiring coroutine has finished: it passed the lease to another coroutine, or the lease is leaked.
  bool has_ended = false;
  SourceLocation acquire_location;  // of the acquire() call
  std::chrono::nanoseconds held{};
};

// PoolTimeoutCause: why no resource became available in time.
enum class PoolTimeoutCause : std::uint8_t {
  exhausted,     // all resources are leased; leases are released, but too slowly
  service_down,  // below `max`, but creation fails
  slow_holders,  // no lease was released during the wait
  leaked,        // leases are held by finished coroutines or longer than PoolOptions::leak_threshold
  paused,
};

TRUEASYNC_EXPORT const char* to_string(PoolTimeoutCause cause) noexcept;

// PoolDiagnosis: the state of the pool when an acquire() timed out.
struct PoolDiagnosis {
  PoolTimeoutCause cause = PoolTimeoutCause::exhausted;
  std::vector<LeaseHolder> holders;  // longest holders first; not all of them
  std::string last_failure;          // the factory's last error; empty if creation works
  bool is_self_deadlock = false;     // the caller holds every lease itself
  std::string text;                  // the diagnosis as text
};

// PoolTimeoutError: no resource became available in time; diagnosis() reports the cause.
class TRUEASYNC_EXPORT PoolTimeoutError : public TimeoutError {
 public:
  explicit PoolTimeoutError(PoolDiagnosis diagnosis);
  ~PoolTimeoutError() override;
  const PoolDiagnosis& diagnosis() const noexcept { return diagnosis_; }

 private:
  PoolDiagnosis diagnosis_;
};

// PoolStatistics: counters of a pool. Always: created - destroyed = total = idle + active.
//
// Thread safety: a plain value.
struct PoolStatistics {
  std::size_t min = 0;
  std::size_t max = 0;
  std::size_t total = 0;
  std::size_t idle = 0;
  std::size_t active = 0;    // leased, reserved, or used by a hook or a health check
  std::size_t reserved = 0;  // of the active resources: granted to a waiter that has not run yet
  std::size_t creating = 0;  // being created; count against `max`, not in `total`
  std::size_t waiting = 0;

  std::uint64_t created = 0;
  std::uint64_t destroyed = 0;
  std::uint64_t acquired = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t failed_creations = 0;
  std::uint64_t failed_checks = 0;  // resources rejected by a health check or a hook
  std::uint64_t leaks = 0;          // leases held longer than leak_threshold

  // Measured with the event loop's cached time: durations shorter than one poll interval (250 µs) may count as 0.
  Histogram wait;
  Histogram hold;
  Histogram create;
  Histogram age;  // of destroyed resources
};

// ResourceState: the state in which a resource is released, and the result of a reset.
enum class ResourceState : std::uint8_t {
  clean,   // can be leased again
  dirty,   // needs a reset; without a reset hook it is destroyed
  broken,  // is destroyed
};

// PoolOrder: which idle resource is leased first.
enum class PoolOrder : std::uint8_t {
  lifo,  // the last used: few resources stay in use, the rest reaches idle_timeout
  fifo,  // the one idle longest: all resources are used evenly
};

// OnUnwind: what happens to a lease that is released by stack unwinding.
enum class OnUnwind : std::uint8_t {
  keep,  // released normally
  // Destroyed, whatever its state. Use it for protocols that can be left in the middle of a response.
  discard,
};

// HookKind: how before_acquire is called in an acquire with a timeout. A hook that may suspend runs in its own
// coroutine, so that the timeout can end the wait for it. A nonblocking hook, such as a socket check, runs in the
// caller.
enum class HookKind : std::uint8_t { may_suspend, nonblocking };

// OnDeactivate: what happens to waiters when the breaker becomes inactive.
enum class OnDeactivate : std::uint8_t { fail_waiters, keep_waiters };

// WarmUp: whether the constructor waits for the first `min` resources and throws their error, or creates them in the
// background.
enum class WarmUp : std::uint8_t { wait, background };

// PoolFactory: creates a T from a callable that returns a T, a std::unique_ptr<T> or a std::optional<T>. An empty
// result is an error.
template <class T>
class PoolFactory {
 public:
  PoolFactory() = default;
  template <class F>
  requires(!std::same_as<std::decay_t<F>, PoolFactory> && std::invocable<std::decay_t<F>&>)
      PoolFactory(F&& function) {  // NOLINT: a callable is a factory
    using Made = std::invoke_result_t<std::decay_t<F>&>;
    make_ = [call = std::forward<F>(function)]() mutable -> std::unique_ptr<T> {
      if constexpr (std::convertible_to<Made, std::unique_ptr<T>>) {
        return call();
      } else if constexpr (std::same_as<std::decay_t<Made>, std::optional<T>>) {
        auto made = call();
        return made ? std::make_unique<T>(std::move(*made)) : nullptr;
      } else {
        return std::unique_ptr<T>(new T(call()));
      }
    };
  }

  explicit operator bool() const noexcept { return static_cast<bool>(make_); }
  std::unique_ptr<T> operator()() { return make_(); }

 private:
  std::function<std::unique_ptr<T>()> make_;
};

namespace detail {

template <class T>
struct PoolHookTypes {
  using Factory = PoolFactory<T>;
  using Destructor = std::function<void(T&)>;
  using Check = std::function<bool(T&)>;
  using Reset = std::function<ResourceState(T&)>;
};

// The last argument is the user pointer. The functions may throw.
template <>
struct PoolHookTypes<void> {
  using Factory = void* (*)(void* user);
  using Destructor = void (*)(void* resource, void* user);
  using Check = bool (*)(void* resource, void* user);
  using Reset = ResourceState (*)(void* resource, void* user);
};

}  // namespace detail

template <class T>
struct PoolOptions {
  using Hooks = detail::PoolHookTypes<T>;

  typename Hooks::Factory factory = {};        // required; each call runs in its own coroutine
  typename Hooks::Destructor destructor = {};  // called before the C++ destructor
  typename Hooks::Check healthcheck = {};      // returns whether an idle resource is usable
  typename Hooks::Check before_acquire = {};   // false: the resource is destroyed and the next is tried
  HookKind before_acquire_kind = HookKind::may_suspend;
  typename Hooks::Check before_release = {};  // false: the resource is destroyed; counts as a breaker failure
  typename Hooks::Reset reset = {};           // of dirty resources. If set, a lease is dirty unless marked clean
  std::size_t min = 0;                        // resources created in advance and kept; default 0
  std::size_t max = 10;                       // idle, leased and being created; default 10
  std::optional<Duration> healthcheck_interval = std::nullopt;  // also the timeout of a check; default: no checks

  std::optional<Duration> max_lifetime = std::nullopt;  // maximum age, also checked on release; default: no limit
  std::optional<Duration> idle_timeout = std::nullopt;  // idle time until destruction, never below `min`; default: none
  double jitter = 0.1;  // maximum random fraction by which both times are shortened; default 0.1
  std::optional<Duration> create_timeout = std::nullopt;  // timeout of one factory call; default: none
  std::size_t max_creating = 4;                           // concurrent factory calls; default 4
  std::chrono::nanoseconds backoff_initial = std::chrono::milliseconds(50);  // delay after a failed creation; doubles
  std::chrono::nanoseconds backoff_max = std::chrono::seconds(2);            // upper bound of that delay; default 2 s
  std::size_t max_waiting = SIZE_MAX;  // maximum number of waiters; default: no limit
  PoolOrder order = PoolOrder::lifo;
  OnUnwind on_unwind = OnUnwind::keep;
  WarmUp warm_up = WarmUp::wait;

  BreakerOptions breaker = {};
  OnDeactivate on_deactivate = OnDeactivate::fail_waiters;

  std::optional<Duration> leak_threshold = std::nullopt;  // a lease held longer is reported as leaked; default: never
  std::function<void(const LeaseHolder&)> on_leak = {};   // called once per leaked lease; must not suspend
  // Receives errors of destructors that have no caller: of a destroyed lease or a health check. Must not suspend.
  // Default: these errors are unhandled.
  std::function<void(const std::exception_ptr&)> on_error = {};
  std::string name = {};   // for error messages; default: none
  std::uint64_t seed = 0;  // of the jitter; 0: random
};

}  // namespace trueasync
