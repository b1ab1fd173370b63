#include "capi/c_pool.hpp"

#include <memory>

#include "capi/c_breaker.hpp"
#include "capi/handles.hpp"

namespace trueasync::detail {

namespace {

// The hooks of one pool and what they get.
struct CHooks {
  explicit CHooks(const ta_pool_options& given) noexcept : options(given) {}
  CHooks(const CHooks&) = delete;
  CHooks& operator=(const CHooks&) = delete;
  ~CHooks() {
    if (options.dispose) options.dispose(options.context);
  }
  static CHooks& of(void* user) noexcept { return *static_cast<CHooks*>(user); }

  static void* make(void* user) {
    const CHooks& self = of(user);
    ta_error error = empty_error();
    void* resource = nullptr;
    const ta_status status = self.options.factory(self.options.context, &resource, &error);
    if (status != TA_OK) throw_status(status, error);
    return resource;  // null is an error of the pool's (PO-08)
  }
  template <ta_resource_hook ta_pool_options::*Hook>
  static bool check(void* resource, void* user) {
    const CHooks& self = of(user);
    ta_error error = empty_error();
    const ta_status status = (self.options.*Hook)(self.options.context, resource, &error);
    if (status != TA_OK && status != TA_REJECTED) throw_status(status, error);
    return status == TA_OK;
  }
  static void destroy(void* resource, void* user) { check<&ta_pool_options::destructor>(resource, user); }
  static ResourceState reset(void* resource, void* user) {
    return check<&ta_pool_options::reset>(resource, user) ? ResourceState::clean : ResourceState::broken;
  }

  ta_pool_options options;
};

void set_hooks(PoolOptions<void>& native, const ta_pool_options& options) noexcept {
  if (options.factory) native.factory = &CHooks::make;
  if (options.destructor) native.destructor = &CHooks::destroy;
  if (options.healthcheck) native.healthcheck = &CHooks::check<&ta_pool_options::healthcheck>;
  if (options.before_acquire) native.before_acquire = &CHooks::check<&ta_pool_options::before_acquire>;
  if (options.before_release) native.before_release = &CHooks::check<&ta_pool_options::before_release>;
  if (options.reset) native.reset = &CHooks::reset;
}

void set_values(PoolOptions<void>& native, const ta_pool_options& options) {
  native.min = options.min;
  native.max = options.max;
  if (options.max_waiting != 0) native.max_waiting = options.max_waiting;
  if (options.max_creating != 0) native.max_creating = options.max_creating;
  native.healthcheck_interval = to_optional_time(options.healthcheck_interval);
  native.max_lifetime = to_optional_time(options.max_lifetime);
  native.idle_timeout = to_optional_time(options.idle_timeout);
  native.create_timeout = to_optional_time(options.create_timeout);
  native.leak_threshold = to_optional_time(options.leak_threshold_ns);
  if (options.flags & TA_POOL_FIFO) native.order = PoolOrder::fifo;
  if (options.flags & TA_POOL_WARM_UP_IN_BACKGROUND) native.warm_up = WarmUp::background;
  if (options.flags & TA_POOL_KEEP_WAITERS) native.on_deactivate = OnDeactivate::keep_waiters;
  if (options.flags & TA_POOL_NONBLOCKING_BEFORE_ACQUIRE) native.before_acquire_kind = HookKind::nonblocking;
  if (options.name) native.name = options.name;
}

PoolConfig make_pool_config(const ta_pool_options* given) {
  auto hooks = std::make_unique<CHooks>(copy_known_fields(given));
  hooks->options = read_options(require_non_null(given, "the options"), "ta_pool_options");
  const ta_pool_options& options = hooks->options;
  check_flags(options.flags,
              TA_POOL_FIFO | TA_POOL_WARM_UP_IN_BACKGROUND | TA_POOL_KEEP_WAITERS | TA_POOL_NONBLOCKING_BEFORE_ACQUIRE,
              "ta_pool_options.flags");
  PoolConfig recipe;
  set_hooks(recipe.options, options);
  set_values(recipe.options, options);
  recipe.options.breaker = breaker_options(options);
  if (options.on_error) {
    recipe.options.on_error = [hook = options.on_error, context = options.context](const std::exception_ptr& failure) {
      ta_error error = empty_error();
      set_error_from(&error, failure);
      CallbackGuard guard("a pool's handler of errors");
      hook(context, &error);
    };
  }
  recipe.user = PoolHookContext(hooks.release(), [](void* user) { delete static_cast<CHooks*>(user); });
  return recipe;
}

}  // namespace

ta_lease lease_of(const LeaseHandle& ticket) noexcept { return {ticket.resource, ticket.slot, ticket.generation}; }

LeaseHandle to_lease_handle(const ta_lease& lease, ResourceState condition) noexcept {
  return {static_cast<PoolSlot*>(lease.slot), lease.resource, static_cast<std::uint32_t>(lease.generation), condition};
}

CPool* CPool::make(const ta_pool_options* given, SourceLocation location) {
  return new CPool(make_pool_config(given), location);
}

ta_lease CPool::acquire(std::int64_t timeout_ns, SourceLocation location) {
  return lease_of(acquire_handle(to_timeout(timeout_ns), location));
}

ta_lease CPool::try_acquire(SourceLocation location) { return lease_of(try_acquire_handle(location)); }

}  // namespace trueasync::detail
