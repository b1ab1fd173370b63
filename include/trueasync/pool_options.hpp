// What a pool is made from. PoolOptions<T> is for C++: any callables. PoolOptions<void> is for C: function pointers, called
// directly, that get the resource and a pointer of their maker's.
//
// Threads: plain values. Errors: bad values (no factory, max 0, min > max, negative times) are a MisuseError of the pool.
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

#include "trueasync/circuit_breaker.hpp"
#include "trueasync/pool_error.hpp"

namespace trueasync {

// In which state a resource comes back, and what a reset left.
enum class ResourceState : std::uint8_t {
  clean,   // the next one can have it
  dirty,   // it needs a reset first; without a reset hook it is destroyed
  broken,  // it is destroyed
};

enum class PoolOrder : std::uint8_t {
  lifo,  // the last one used: few are kept warm, the others become idle long enough to go
  fifo,  // the one that was idle longest: all are used alike
};

// What becomes of the lease of a coroutine that an exception or its cancellation unwinds.
enum class OnUnwind : std::uint8_t {
  keep,     // it comes back as any other
  discard,  // destroyed, however it was marked: right for protocols that can be left in the middle of an answer
};

// How before_acquire is called for one who asks with a limit. A hook that may suspend gets a coroutine of its own, so that
// it holds nobody up past the limit; one that never does – a look at a socket, say – is called where the caller stands.
enum class HookKind : std::uint8_t { may_suspend, nonblocking };

// What becomes of those who wait when the breaker becomes inactive (CB-03).
enum class OnDeactivate : std::uint8_t { fail_waiters, keep_waiters };

// Whether making a pool waits for its first `min` resources, and fails with their error, or has them made meanwhile.
enum class WarmUp : std::uint8_t { wait, background };

// Makes a T. The callable returns a T, a std::unique_ptr<T> or a std::optional<T>; nothing in it is an error (PO-08).
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

// The last argument is always the user pointer. They may throw if they are C++.
template <>
struct PoolHookTypes<void> {
  using Factory = void* (*)(void* user);
  using Destructor = void (*)(void* resource, void* user);
  using Check = bool (*)(void* resource, void* user);
  using Reset = ResourceState (*)(void* resource, void* user);
};

}  // namespace detail

// Hooks may suspend, unless try_acquire() calls them. A hook that throws has refused, and the error goes to the caller.
template <class T>
struct PoolOptions {
  using Hooks = detail::PoolHookTypes<T>;

  typename Hooks::Factory factory = {};        // required; each call in a coroutine of its own
  typename Hooks::Destructor destructor = {};  // before the C++ destructor
  typename Hooks::Check healthcheck = {};
  typename Hooks::Check before_acquire = {};  // of idle and returned ones; false: it is destroyed, the next is tried
  HookKind before_acquire_kind = HookKind::may_suspend;
  typename Hooks::Check before_release = {};  // false: it is destroyed, and the breaker is told of a failure
  typename Hooks::Reset reset = {};           // of what comes back dirty. With it a lease is dirty unless marked clean
  std::size_t min = 0;                        // made in advance, and kept
  std::size_t max = 10;                       // idle, in use and being made
  std::chrono::nanoseconds healthcheck_interval{0};  // 0: none. Longer than this no check may take

  std::chrono::nanoseconds max_lifetime{0};    // 0: for ever. Checked when it comes back as well
  std::chrono::nanoseconds idle_timeout{0};    // 0: none. Never below min
  double jitter = 0.1;                         // both are shortened by a random part of up to this, for each resource
  std::chrono::nanoseconds create_timeout{0};  // 0: the factory takes the time it takes
  std::size_t max_creating = 4;                // how many are made at the same time
  std::chrono::nanoseconds backoff_initial = std::chrono::milliseconds(50);  // pause after a failed creation; doubles
  std::chrono::nanoseconds backoff_max = std::chrono::seconds(2);
  std::size_t max_waiting = SIZE_MAX;
  PoolOrder order = PoolOrder::lifo;
  OnUnwind on_unwind = OnUnwind::keep;
  WarmUp warm_up = WarmUp::wait;

  BreakerOptions breaker = {};
  OnDeactivate on_deactivate = OnDeactivate::fail_waiters;

  std::chrono::nanoseconds leak_threshold{0};            // 0: no lease is too old
  std::function<void(const LeaseHolder&)> on_leak = {};  // once per lease; must not suspend
  // Errors of destructors where nobody can be told: a lease that goes by itself, a health check. Must not suspend.
  // Without it they are errors nobody awaits.
  std::function<void(const std::exception_ptr&)> on_error = {};
  std::string name = {};
  std::uint64_t seed = 0;  // of the jitter; 0: any
};

}  // namespace trueasync
