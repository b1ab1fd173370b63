#include "pool.hpp"

extern "C" {
#include "ext/spl/spl_iterators.h"
}
#include "engine/library_coroutine.hpp"
#include "generated/pool_arginfo.h"
#include "pool/resource_pool.hpp"
#include "support/library_call.hpp"
#include "support/waiters.hpp"
#include "trueasync/detail/future_state.hpp"
#include "trueasync/task.hpp"

namespace trueasync::php {

namespace {

// Identical values have the same hash. It is distinct for objects, resources and integers; strings, arrays and floats
// share one hash per type and are then compared one by one.
std::uint64_t hash_resource(const zval* value) noexcept {
  const auto type = static_cast<std::uint64_t>(Z_TYPE_P(value));
  switch (Z_TYPE_P(value)) {
    case IS_OBJECT:
    case IS_RESOURCE:
    case IS_LONG:
      return (static_cast<std::uint64_t>(Z_LVAL_P(value)) << 4) ^ type;
    default:
      return type;
  }
}

// PoolFinisher: the body of a coroutine that keeps the pool object alive until the pool's background work has finished.
// It releases the object inside run_php_code(), because that may run PHP destructors.
struct PoolFinisher {
  void operator()() noexcept {
    engine::run_php_code([this] {
      self->pool->await_background_work();
      object.reset();
    });
  }
  PoolObject* self;
  Value object;
};

}  // namespace

PoolObject::~PoolObject() {
  if (strategy) strategy->source = nullptr;
  if (!pool) return;
  hooks->is_shutting_down = true;
  // on_destruct() did not run, or a fatal error ended the request: the background work never finishes. Abandon it.
  const bool is_stuck = is_engine_dead() || (engine::scheduler && pool->has_background_work());
  if (is_stuck) {
    (void)pool.release();
    return;
  }
  catch_to_php([&] { pool->close(); });
  leases.clear();  // the holders have their own references to the resources
}

void PoolObject::report(GcBuffer& buffer) noexcept {
  if (hooks) hooks->report(buffer);
  if (strategy) strategy->report(buffer);
  if (!pool) return;
  const detail::ResourcePool& core = detail::Access::core(*pool);
  // Background work and the health check timer can also wake the waiters; then the waiters are not garbage.
  if (core.has_background_work() || core.options().healthcheck_interval) return;
  const detail::WaiterList& waiting = core.waiting();
  for (const WaitEntry* entry = waiting.front(); entry; entry = waiting.next_of(*entry)) {
    report_waiter(buffer, entry->waker);
  }
}

// Destroys idle resources while their PHP destructors may still run. The object stays alive until the background work
// has finished.
void PoolObject::on_destruct() noexcept {
  if (!pool || !engine::scheduler || is_engine_dead()) return;
  catch_to_php_with_bailout([&] { pool->close(); });
  if (!pool->has_background_work()) return;
  catch_to_php([&] {
    PoolFinisher finisher{this, Value(Class<PoolObject>::object_of(*this))};
    detail::spawn_in(&detail::detached_owner(), {.name = "close pool"}, std::move(finisher), SourceLocation::current());
  });
}

bool PoolObject::check() const noexcept {
  if (pool) return true;
  zend_throw_error(nullptr, "Cannot use an Async\\Pool whose constructor was not called");
  return false;
}

void PoolObject::construct(PoolOptions<Value> options, SourceLocation location) {
  pool = std::make_unique<Pool<Value>>(std::move(options), location);
}

void PoolObject::hand_out(Lease<Value> lease, zval* result) {
  const Value& resource = *lease;
  const std::uint64_t hash = hash_resource(resource.get());
  resource.copy_to(result);
  leases.emplace(hash, std::move(lease));
}

Lease<Value> PoolObject::take_lease(const zval* resource) noexcept {
  const auto [first, last] = leases.equal_range(hash_resource(resource));
  for (auto entry = first; entry != last; ++entry) {
    if (!zend_is_identical(entry->second->get(), const_cast<zval*>(resource))) continue;
    Lease<Value> lease = std::move(entry->second);
    leases.erase(entry);
    return lease;
  }
  return {};
}

void PoolObject::set_strategy(zend_object* object) {
  if (strategy) strategy->source = nullptr;
  strategy = object ? std::make_shared<PhpStrategy>(object, Class<PoolObject>::object_of(*this), callers) : nullptr;
  pool->breaker().set_strategy(strategy);
}

void register_pool() {
  Class<PoolObject>::setup(register_class_Async_Pool(zend_ce_countable, circuit_breakers.breaker));
}

}  // namespace trueasync::php
