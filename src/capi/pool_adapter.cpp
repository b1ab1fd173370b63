#include "capi/pool_adapter.hpp"

#include <memory>

#include "capi/handles.hpp"
#include "trueasync/pool/circuit_breaker.hpp"

namespace trueasync::detail {

namespace {

static_assert(static_cast<unsigned>(BreakerState::active) == TA_BREAKER_ACTIVE &&
              static_cast<unsigned>(BreakerState::inactive) == TA_BREAKER_INACTIVE &&
              static_cast<unsigned>(BreakerState::recovering) == TA_BREAKER_RECOVERING);

// CStrategy: a strategy whose decisions are made by C hooks.
class CStrategy final : public BreakerStrategy {
 public:
  CStrategy(const ta_breaker_options& hooks, void* context) noexcept : hooks_(hooks), context_(context) {}

  void report_success(CircuitBreaker& breaker) override {
    set_state(breaker, hooks_.report_success(context_, static_cast<ta_breaker_state>(breaker.state())));
  }
  void report_failure(CircuitBreaker& breaker, const std::exception_ptr& failure) override {
    ta_error error = empty_error();
    set_error_from(&error, failure);
    set_state(breaker, hooks_.report_failure(context_, static_cast<ta_breaker_state>(breaker.state()), &error));
  }
  bool should_recover(CircuitBreaker&) override { return hooks_.should_recover(context_); }

 private:
  static void set_state(CircuitBreaker& breaker, ta_breaker_state requested) {
    if (requested == TA_BREAKER_ACTIVE) {
      breaker.activate();
    } else if (requested == TA_BREAKER_INACTIVE) {
      breaker.deactivate();
    } else if (requested == TA_BREAKER_RECOVERING) {
      breaker.recover();
    } else {
      throw MisuseError("ta_breaker_options: a hook returned the unknown breaker state " + std::to_string(requested));
    }
  }

  ta_breaker_options hooks_;
  void* context_;
};

std::shared_ptr<BreakerStrategy> make_strategy(const ta_breaker_options& options, void* context) {
  const int hooks =
      (options.report_success != nullptr) + (options.report_failure != nullptr) + (options.should_recover != nullptr);
  if (hooks == 3 && options.failure_threshold == 0) return std::make_shared<CStrategy>(options, context);
  if (hooks != 0) throw MisuseError("ta_breaker_options: set all three hooks, or failure_threshold, or neither");
  if (options.failure_threshold == 0) return nullptr;
  ConsecutiveFailuresOptions native;
  native.failures = options.failure_threshold;
  if (options.backoff_ns != 0) {
    native.backoff.initial = std::chrono::nanoseconds(options.backoff_ns);
    if (native.backoff.max < native.backoff.initial) native.backoff.max = native.backoff.initial;
  }
  return std::make_shared<ConsecutiveFailures>(native);
}

BreakerOptions make_breaker_options(const ta_pool_options& pool) {
  BreakerOptions native;
  if (!pool.breaker) return native;
  const ta_breaker_options options = read_options(pool.breaker, "ta_breaker_options");
  native.strategy = make_strategy(options, pool.context);
  if (options.probes != 0) native.probes = options.probes;
  if (options.rounds != 0) native.rounds = options.rounds;
  if (options.recovery_check_interval_ns != 0)
    native.recovery_check_interval = std::chrono::nanoseconds(options.recovery_check_interval_ns);
  return native;
}

// CHooks: the hooks of one pool and their context. Disposes of the context.
struct CHooks {
  explicit CHooks(const ta_pool_options& pool_options) noexcept : options(pool_options) {}
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
    return resource;  // the pool reports null as an error
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
  native.healthcheck_interval = to_optional_time(options.healthcheck_interval_ns);
  native.max_lifetime = to_optional_time(options.max_lifetime_ns);
  native.idle_timeout = to_optional_time(options.idle_timeout_ns);
  native.create_timeout = to_optional_time(options.create_timeout_ns);
  native.leak_threshold = to_optional_time(options.leak_threshold_ns);
  if (options.flags & TA_POOL_FIFO) native.order = PoolOrder::fifo;
  if (options.flags & TA_POOL_WARM_UP_IN_BACKGROUND) native.warm_up = WarmUp::background;
  if (options.flags & TA_POOL_KEEP_WAITERS) native.on_deactivate = OnDeactivate::keep_waiters;
  if (options.flags & TA_POOL_NONBLOCKING_BEFORE_ACQUIRE) native.before_acquire_kind = HookKind::nonblocking;
  if (options.name) native.name = options.name;
}

PoolConfig make_pool_config(const ta_pool_options* caller_options) {
  // Copied before validation, so that the context is disposed of if read_options() throws.
  auto hooks = std::make_unique<CHooks>(copy_known_fields(caller_options));
  hooks->options = read_options(require_non_null(caller_options, "the options"), "ta_pool_options");
  const ta_pool_options& options = hooks->options;
  check_flags(options.flags,
              TA_POOL_FIFO | TA_POOL_WARM_UP_IN_BACKGROUND | TA_POOL_KEEP_WAITERS | TA_POOL_NONBLOCKING_BEFORE_ACQUIRE,
              "ta_pool_options.flags");
  PoolConfig config;
  set_hooks(config.options, options);
  set_values(config.options, options);
  config.options.breaker = make_breaker_options(options);
  if (options.on_error) {
    config.options.on_error = [hook = options.on_error, context = options.context](const std::exception_ptr& failure) {
      ta_error error = empty_error();
      set_error_from(&error, failure);
      CallbackGuard guard("the on_error hook of a pool");
      hook(context, &error);
    };
  }
  config.user = PoolHookContext(hooks.release(), [](void* user) { delete static_cast<CHooks*>(user); });
  return config;
}

}  // namespace

ta_lease to_lease(const LeaseHandle& handle) noexcept { return {handle.resource, handle.slot, handle.generation}; }

LeaseHandle to_lease_handle(const ta_lease& lease, ResourceState state) noexcept {
  return {static_cast<PoolSlot*>(lease.slot), lease.resource, static_cast<std::uint32_t>(lease.generation), state};
}

CPool* CPool::make(const ta_pool_options* caller_options, SourceLocation location) {
  return new CPool(make_pool_config(caller_options), location);
}

ta_lease CPool::acquire(std::int64_t timeout_ns, SourceLocation location) {
  return to_lease(acquire_handle(to_timeout(timeout_ns), location));
}

ta_lease CPool::try_acquire(SourceLocation location) { return to_lease(try_acquire_handle(location)); }

}  // namespace trueasync::detail
