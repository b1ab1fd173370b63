// Async\Pool, on the library's Pool<Value>.
//
// The library identifies a use of a resource by its lease. PHP code releases the resource itself, so PoolObject keeps
// the leases and finds them by resource.
//
// Thread safety: the engine's thread only.
#pragma once

#include <memory>
#include <unordered_map>

#include "circuit_breaker.hpp"
#include "pool_hooks.hpp"
#include "trueasync/pool/pool.hpp"

namespace trueasync::php {

struct PoolObject {
  ~PoolObject();
  void report(GcBuffer& buffer) noexcept;
  void on_destruct() noexcept;

  // Returns false if the constructor has not run; EG(exception) is then set.
  bool check() const noexcept;
  void construct(PoolOptions<Value> options, SourceLocation location);
  // Keeps the lease and stores its resource in `result`.
  void hand_out(Lease<Value> lease, zval* result);
  // Removes and returns the lease of that resource; empty: the resource is not leased from this pool.
  Lease<Value> take_lease(const zval* resource) noexcept;
  void set_strategy(zend_object* strategy);

  std::shared_ptr<PoolHooks> hooks;
  std::unique_ptr<Pool<Value>> pool;
  std::shared_ptr<PhpStrategy> strategy;
  StrategyErrorScope::Callers callers;
  std::unordered_multimap<std::uint64_t, Lease<Value>> leases;  // by the hash of the resource
};

void register_pool();

}  // namespace trueasync::php
