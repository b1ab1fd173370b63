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

// Equal for what is identical; objects, resources and numbers are told apart by it alone.
std::uint64_t identity_of(const zval* value) noexcept {
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

// Holds the object until what runs on the pool's behalf has ended, and lets it go where PHP code may run.
struct Ending {
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
  // Without its destructor, or after a fatal error: they will never end.
  const bool is_stuck = is_engine_dead() || (engine::scheduler && pool->has_background_work());
  if (is_stuck) {
    (void)pool.release();
    return;
  }
  catch_to_php([&] { pool->close(); });
  leases.clear();  // what is still lent belongs to those who have it
}

void PoolObject::report(GcBuffer& buffer) noexcept {
  if (hooks) hooks->report(buffer);
  if (strategy) strategy->report(buffer);
  if (!pool) return;
  const detail::ResourcePool& core = detail::Access::core(*pool);
  // Its own work may serve those who wait, too.
  if (core.is_working() || core.options().healthcheck_interval) return;
  const detail::WaiterList& waiting = core.waiting();
  for (const WaitEntry* at = waiting.front(); at; at = waiting.next_of(*at)) report_waiter(buffer, at->waker);
}

// Idle resources go with their destructors while PHP code may still run; the object stays until nothing is under way.
void PoolObject::on_destruct() noexcept {
  if (!pool || !engine::scheduler || is_engine_dead()) return;
  catch_to_php_with_bailout([&] { pool->close(); });
  if (!pool->has_background_work()) return;
  catch_to_php([&] {
    Ending ending{this, Value(Class<PoolObject>::object_of(*this))};
    detail::spawn_in(&detail::detached_owner(), {.name = "end of a pool"}, std::move(ending),
                     SourceLocation::current());
  });
}

bool PoolObject::check() const noexcept {
  if (pool) return true;
  zend_throw_error(nullptr, "The constructor of the pool was not called");
  return false;
}

void PoolObject::construct(PoolOptions<Value> options, SourceLocation location) {
  pool = std::make_unique<Pool<Value>>(std::move(options), location);
}

void PoolObject::hand_out(Lease<Value> lease, zval* result) {
  const Value& resource = *lease;
  const std::uint64_t identity = identity_of(resource.get());
  resource.copy_to(result);
  leases.emplace(identity, std::move(lease));
}

Lease<Value> PoolObject::take_lease(const zval* resource) noexcept {
  const auto [first, last] = leases.equal_range(identity_of(resource));
  for (auto at = first; at != last; ++at) {
    if (!zend_is_identical(at->second->get(), const_cast<zval*>(resource))) continue;
    Lease<Value> found = std::move(at->second);
    leases.erase(at);
    return found;
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
