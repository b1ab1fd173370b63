// Pool<T>: resources that are costly to make – connections – kept and lent out. First come first served: what comes back
// belongs to the one who waits longest from that instant, and passes on if it leaves.
//
//   ta::Pool<Connection> pool({.factory = connect, .destructor = close, .healthcheck = ping,
//                              .min = 2, .max = 16, .healthcheck_interval = 30s});
//   auto conn = pool.acquire(5s);
//   conn->query("select 1");
//
// A resource is made by a coroutine of its own: if the one who asked for it leaves meanwhile it lands in the pool. After a
// failure the next creation waits a little, longer each time; each failed creation is told to the one who waits longest.
// Health checks run on a hidden timer: they neither keep the program alive nor hide a deadlock.
//
// Owns: its resources and hooks. Lifetime: leases may outlive it; the destructor closes it and waits for creations and
// checks that are under way. Threads: one runtime's. Errors: acquire throws PoolTimeoutError with a limit, which says why;
// PoolClosedError; ServiceUnavailableError when the breaker refuses; PoolOverloadedError; what the factory and hooks throw; Cancelled;
// OperationCancelled with a token. MisuseError for bad options, and outside the runtime it was made in.
#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "trueasync/detail/pool_base.hpp"
#include "trueasync/error.hpp"
#include "trueasync/pool_lease.hpp"
#include "trueasync/pool_options.hpp"

namespace trueasync {

namespace detail {

// Callables behind the function pointers that the pool calls.
template <class T>
struct PoolCallables {
  typename PoolHookTypes<T>::Factory factory;
  typename PoolHookTypes<T>::Destructor destructor;
  typename PoolHookTypes<T>::Check healthcheck;
  typename PoolHookTypes<T>::Check before_acquire;
  typename PoolHookTypes<T>::Check before_release;
  typename PoolHookTypes<T>::Reset reset;

  static PoolCallables& of(void* user) noexcept { return *static_cast<PoolCallables*>(user); }
  static T& typed(void* resource) noexcept { return *static_cast<T*>(resource); }

  static void* make(void* user) { return of(user).factory().release(); }
  static void destroy(void* resource, void* user) {
    const std::unique_ptr<T> owned(static_cast<T*>(resource));
    if (of(user).destructor) of(user).destructor(*owned);
  }
  template <auto Hook>
  static auto call(void* resource, void* user) {
    return (of(user).*Hook)(typed(resource));
  }
};

template <class T>
PoolOptions<void> untyped(PoolOptions<T>& options) {
  using Callables = PoolCallables<T>;
  PoolOptions<void> raw;
  if (options.factory) raw.factory = &Callables::make;
  raw.destructor = &Callables::destroy;
  if (options.healthcheck) raw.healthcheck = &Callables::template call<&Callables::healthcheck>;
  if (options.before_acquire) raw.before_acquire = &Callables::template call<&Callables::before_acquire>;
  raw.before_acquire_kind = options.before_acquire_kind;
  if (options.before_release) raw.before_release = &Callables::template call<&Callables::before_release>;
  if (options.reset) raw.reset = &Callables::template call<&Callables::reset>;
  raw.min = options.min;
  raw.max = options.max;
  raw.healthcheck_interval = options.healthcheck_interval;
  raw.max_lifetime = options.max_lifetime;
  raw.idle_timeout = options.idle_timeout;
  raw.jitter = options.jitter;
  raw.create_timeout = options.create_timeout;
  raw.max_creating = options.max_creating;
  raw.backoff_initial = options.backoff_initial;
  raw.backoff_max = options.backoff_max;
  raw.max_waiting = options.max_waiting;
  raw.order = options.order;
  raw.on_unwind = options.on_unwind;
  raw.warm_up = options.warm_up;
  raw.breaker = std::move(options.breaker);
  raw.on_deactivate = options.on_deactivate;
  raw.leak_threshold = options.leak_threshold;
  raw.on_leak = std::move(options.on_leak);
  raw.on_error = std::move(options.on_error);
  raw.name = std::move(options.name);
  raw.seed = options.seed;
  return raw;
}

template <class T>
PoolConfig make_pool_config(PoolOptions<T>& options) {
  PoolConfig recipe;
  recipe.options = untyped(options);
  recipe.user = PoolHookContext(new PoolCallables<T>{std::move(options.factory), std::move(options.destructor),
                                                     std::move(options.healthcheck), std::move(options.before_acquire),
                                                     std::move(options.before_release), std::move(options.reset)},
                                [](void* data) { delete static_cast<PoolCallables<T>*>(data); });
  return recipe;
}

}  // namespace detail

template <class T>
class Pool : public detail::PoolBase {
 public:
  using Resource = T;

  // Waits for the first `min` resources, unless WarmUp::background was said. Throws what the factory throws.
  explicit Pool(PoolOptions<T> options, SourceLocation location = SourceLocation::current())
      : PoolBase(detail::make_pool_config(options), location) {}

  Lease<T> acquire(SourceLocation location = SourceLocation::current()) {
    return Lease<T>([&] { return acquire_handle(location); });
  }
  // One absolute deadline for everything: waiting, the factory, hooks.
  Lease<T> acquire(std::chrono::nanoseconds timeout, SourceLocation location = SourceLocation::current()) {
    return Lease<T>([&] { return acquire_handle(timeout, location); });
  }
  Lease<T> acquire(Event& token, SourceLocation location = SourceLocation::current()) {
    return Lease<T>([&] { return acquire_handle(token, location); });
  }
  // Never suspends; empty when nothing is free. If there is room one is made meanwhile, for the next time.
  Lease<T> try_acquire(SourceLocation location = SourceLocation::current()) {
    return Lease<T>([&] { return try_acquire_handle(location); });
  }
  // As lease.release(); a lease of another pool is a MisuseError, and stays as it is.
  void release(Lease<T>&& lease) {
    if (detail::pool_of(lease.handle()) != &core()) throw MisuseError("a lease of another pool, or none, was released");
    lease.release();
  }
};

}  // namespace trueasync
