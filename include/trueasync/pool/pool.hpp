// Pool: manages resources that are expensive to create, such as connections, and leases them to coroutines.
//
//   ta::Pool<Connection> pool({.factory = connect, .destructor = close, .healthcheck = ping,
//                              .min = 2, .max = 16, .healthcheck_interval = 30s});
//   auto conn = pool.acquire(5s);
//   conn->query("select 1");
//
// Waiters get resources in FIFO order. A released resource is reserved for the oldest waiter immediately. If that
// waiter is cancelled or times out before it runs, the reservation moves to the next waiter.
// Each resource is created in its own coroutine. If the requester is cancelled, the new resource goes to the pool.
// After a failure, creation backs off exponentially, and each failure is reported to the oldest waiter. Health checks
// run on a background timer, which neither keeps the program alive nor counts for deadlock detection.
//
// Ownership: its resources and hooks.
// Lifetime: leases may outlive the pool. The destructor closes the pool and waits for creations and checks in flight.
// Thread safety: one runtime.
// Errors: acquire() throws PoolTimeoutError if the time of `options` expires (its diagnosis gives the cause),
// PoolClosedError, ServiceUnavailableError if the breaker rejects the call, PoolOverloadedError, errors of the factory
// and hooks, Cancelled, and OperationCancelled if the token of `options` fires. MisuseError for invalid options and outside the pool's runtime.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "trueasync/detail/pool_base.hpp"
#include "trueasync/error.hpp"
#include "trueasync/pool/options.hpp"

namespace trueasync {

// Lease: the right to use one resource of a pool. It is released at the end of its scope, also during unwinding.
//
// Ownership: the lease, not the resource.
// Lifetime: may outlive the pool; the resource is then destroyed on release.
// Thread safety: one runtime.
// Errors: release() throws errors of hooks; the destructor passes them to PoolOptions::on_error.

template <class T>
class [[nodiscard]] Lease {
 public:
  Lease() noexcept = default;
  // Constructs the handle in place from the result of `take`, without a copy.
  template <std::invocable F>
  explicit Lease(F&& take) : handle_(std::forward<F>(take)()) {}
  Lease(Lease&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Lease& operator=(Lease&& other) noexcept {
    Lease old(std::move(*this));
    handle_ = std::exchange(other.handle_, {});
    return *this;
  }
  ~Lease() {
    if (handle_) detail::drop_lease(handle_);
  }

  explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  T* get() const noexcept { return static_cast<T*>(handle_.resource); }
  T& operator*() const noexcept { return *get(); }
  T* operator->() const noexcept { return get(); }

  // Sets the state in which the resource will be released.
  void mark(ResourceState state) noexcept { handle_.state = state; }
  ResourceState state() const noexcept { return handle_.state; }
  // Releases the lease now. A second release throws MisuseError and has no effect.
  void release() { detail::release_lease(std::exchange(handle_, {})); }
  // Releases the lease and destroys the resource.
  void discard() {
    mark(ResourceState::broken);
    release();
  }
  const detail::LeaseHandle& handle() const noexcept { return handle_; }

 private:
  detail::LeaseHandle handle_;
};

namespace detail {

// PoolCallables: the callables behind the function pointers that the untyped pool calls.
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
  PoolConfig config;
  config.options = untyped(options);
  config.user = PoolHookContext(new PoolCallables<T>{std::move(options.factory), std::move(options.destructor),
                                                     std::move(options.healthcheck), std::move(options.before_acquire),
                                                     std::move(options.before_release), std::move(options.reset)},
                                [](void* data) { delete static_cast<PoolCallables<T>*>(data); });
  return config;
}

}  // namespace detail

template <class T>
class Pool : public detail::PoolBase {
 public:
  using Resource = T;

  // Waits for the first `min` resources, unless WarmUp::background is set. Throws errors of the factory.
  explicit Pool(PoolOptions<T> options, SourceLocation location = SourceLocation::current())
      : PoolBase(detail::make_pool_config(options), location) {}

  // Suspends until a resource is available. `options` bound waiting, factory and hooks together.
  Lease<T> acquire(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    return Lease<T>([&] { return acquire_handle(options, location); });
  }
  // Never suspends. Returns an empty lease if no resource is idle; below `max`, a resource is created in the
  // background.
  Lease<T> try_acquire(SourceLocation location = SourceLocation::current()) {
    return Lease<T>([&] { return try_acquire_handle(location); });
  }
  // As lease.release(). MisuseError for a lease of another pool, which stays valid.
  void release(Lease<T>&& lease) {
    if (detail::pool_of(lease.handle()) != &detail::Access::core(*this))
      throw MisuseError("Pool::release: the lease is empty or belongs to another pool");
    lease.release();
  }
};

}  // namespace trueasync
