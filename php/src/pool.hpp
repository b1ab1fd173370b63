// Async\Pool, on the library's Pool<Value>.
//
// Which lease a resource is in is known here: PHP gives the resource back, not the lease. Threads: the engine's.
#pragma once

#include <memory>
#include <unordered_map>

#include "circuit_breaker.hpp"
#include "pool_hooks.hpp"
#include "trueasync/pool.hpp"

namespace trueasync::php {

struct PoolObject {
  ~PoolObject();
  void report(GcBuffer& buffer) noexcept;
  void on_destruct() noexcept;

  // False: its constructor has not run, and EG(exception) says so.
  bool check() const noexcept;
  void construct(PoolOptions<Value> options, SourceLocation location);
  // Hands the lease's resource out.
  void hand_out(Lease<Value> lease, zval* result);
  // The lease of that resource, which is forgotten; empty: it is in none.
  Lease<Value> take_lease(const zval* resource) noexcept;
  void set_strategy(zend_object* strategy);

  std::shared_ptr<PoolHooks> hooks;
  std::unique_ptr<Pool<Value>> pool;
  std::shared_ptr<PhpStrategy> strategy;
  StrategyErrorScope::Callers callers;
  std::unordered_multimap<std::uint64_t, Lease<Value>> leases;  // by identity_of the resource
};

void register_pool();

}  // namespace trueasync::php
