// The methods of Async\Pool.
#include "exceptions.hpp"
#include "pool.hpp"
#include "support/duration.hpp"
#include "support/library_call.hpp"
#include "support/source_location.hpp"

using namespace trueasync;
using namespace trueasync::php;

namespace {

PoolObject& this_pool(zval* value) noexcept { return Class<PoolObject>::self(value); }

struct PoolArguments {
  zend_fcall_info call[5];
  zend_fcall_info_cache cache[5];
  zend_long min = 0;
  zend_long max = 10;
  zend_long interval = 0;
};

// Returns false if EG(exception) is set.
bool check_numbers(const PoolArguments& arguments) noexcept {
  if (arguments.min < 0) return zend_argument_value_error(6, "must be greater than or equal to 0"), false;
  if (arguments.max < 1) return zend_argument_value_error(7, "must be greater than 0"), false;
  if (arguments.min > arguments.max)
    return zend_argument_value_error(6, "must not be greater than argument #7 ($max)"), false;
  if (arguments.interval < 0) return zend_argument_value_error(8, "must be greater than or equal to 0"), false;
  return true;
}

// Runs the body of a method that may report to the breaker strategy. An exception of the strategy is thrown by the
// method and replaces the result.
template <class F>
void call_pool(zval* object, F&& body) {
  auto& self = this_pool(object);
  if (!self.check() || !engine::ensure_started()) return;
  if (!self.strategy) return catch_to_php_with_bailout([&] { body(self); });
  Value thrown;
  catch_to_php_with_bailout([&] {
    StrategyErrorScope errors(self.callers);
    struct Taker {
      StrategyErrorScope& from;
      Value& to;
      ~Taker() { to = from.take(); }
    } taker{errors, thrown};
    body(self);
  });
  if (!thrown) return;
  zval error;
  thrown.move_to(&error);
  throw_exception(Z_OBJ(error));
}

// A timeout of 0 means none.
void acquire(PoolObject& self, zend_long timeout, zval* result) {
  const SourceLocation location = executing_location();
  self.hand_out(self.pool->acquire(to_timeout(timeout), location), result);
}

}  // namespace

ZEND_METHOD(Async_Pool, __construct) {
  PoolArguments arguments{};
  ZEND_PARSE_PARAMETERS_START(1, 8)
  Z_PARAM_FUNC(arguments.call[0], arguments.cache[0])
  Z_PARAM_OPTIONAL
  Z_PARAM_FUNC_OR_NULL(arguments.call[1], arguments.cache[1])
  Z_PARAM_FUNC_OR_NULL(arguments.call[2], arguments.cache[2])
  Z_PARAM_FUNC_OR_NULL(arguments.call[3], arguments.cache[3])
  Z_PARAM_FUNC_OR_NULL(arguments.call[4], arguments.cache[4])
  Z_PARAM_LONG(arguments.min)
  Z_PARAM_LONG(arguments.max)
  Z_PARAM_LONG(arguments.interval)
  ZEND_PARSE_PARAMETERS_END();
  if (!check_numbers(arguments)) return;
  auto& self = this_pool(ZEND_THIS);
  if (self.hooks) return (void)zend_throw_error(nullptr, "Cannot call Async\\Pool::__construct() twice");
  if (!engine::ensure_started()) return;
  catch_to_php_with_bailout([&] {
    self.hooks = std::make_shared<PoolHooks>();
    StoredCall* const hooks[] = {&self.hooks->factory, &self.hooks->destructor, &self.hooks->healthcheck,
                                 &self.hooks->before_acquire, &self.hooks->before_release};
    for (int i = 0; i < 5; ++i) {
      if (arguments.call[i].size) hooks[i]->assign(arguments.call[i], arguments.cache[i]);
    }
    PoolOptions<Value> options = make_pool_options(self.hooks);
    options.min = static_cast<std::size_t>(arguments.min);
    options.max = static_cast<std::size_t>(arguments.max);
    options.healthcheck_interval = to_timeout(arguments.interval);
    self.construct(std::move(options), executing_location());
  });
}

ZEND_METHOD(Async_Pool, acquire) {
  zend_long timeout = 0;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG(timeout)
  ZEND_PARSE_PARAMETERS_END();
  if (timeout < 0) return (void)zend_argument_value_error(1, "must be greater than or equal to 0");
  call_pool(ZEND_THIS, [&](PoolObject& self) { acquire(self, timeout, return_value); });
}

ZEND_METHOD(Async_Pool, tryAcquire) {
  ZEND_PARSE_PARAMETERS_NONE();
  call_pool(ZEND_THIS, [&](PoolObject& self) {
    const std::size_t creating = self.pool->creating_count();
    if (Lease<Value> lease = self.pool->try_acquire(executing_location())) {
      self.hand_out(std::move(lease), return_value);
    } else if (self.pool->creating_count() > creating) {
      acquire(self, 0, return_value);  // the pool is below its maximum and creates a resource for this caller
    }
  });
}

ZEND_METHOD(Async_Pool, release) {
  zval* resource;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_ZVAL(resource)
  ZEND_PARSE_PARAMETERS_END();
  call_pool(ZEND_THIS, [&](PoolObject& self) {
    Lease<Value> lease = self.take_lease(resource);
    if (!lease) throw PoolError("Cannot release a resource that is not acquired from this Pool");
    lease.release();
  });
}

ZEND_METHOD(Async_Pool, close) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_pool(ZEND_THIS);
  if (self.check()) catch_to_php_with_bailout([&] { self.pool->close(); });
}

ZEND_METHOD(Async_Pool, isClosed) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_pool(ZEND_THIS);
  if (self.check()) RETURN_BOOL(self.pool->is_closed());
}

ZEND_METHOD(Async_Pool, count) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_pool(ZEND_THIS);
  if (self.check()) RETURN_LONG(static_cast<zend_long>(self.pool->count()));
}

ZEND_METHOD(Async_Pool, idleCount) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_pool(ZEND_THIS);
  if (self.check()) RETURN_LONG(static_cast<zend_long>(self.pool->idle_count()));
}

ZEND_METHOD(Async_Pool, activeCount) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_pool(ZEND_THIS);
  if (self.check()) RETURN_LONG(static_cast<zend_long>(self.pool->active_count()));
}

ZEND_METHOD(Async_Pool, setCircuitBreakerStrategy) {
  zval* strategy;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(strategy, circuit_breakers.strategy)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = this_pool(ZEND_THIS);
  if (self.check()) catch_to_php_with_bailout([&] { self.set_strategy(strategy ? Z_OBJ_P(strategy) : nullptr); });
}

ZEND_METHOD(Async_Pool, getState) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_pool(ZEND_THIS);
  if (self.check()) return_breaker_state(return_value, self.pool->breaker().state());
}

ZEND_METHOD(Async_Pool, activate) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_pool(ZEND_THIS);
  if (self.check()) self.pool->breaker().activate();
}

ZEND_METHOD(Async_Pool, deactivate) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_pool(ZEND_THIS);
  if (self.check()) self.pool->breaker().deactivate();
}

ZEND_METHOD(Async_Pool, recover) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_pool(ZEND_THIS);
  if (self.check()) self.pool->breaker().recover();
}
