// PoolHooks: the callables that a pool was constructed with, and the set of its resources.
//
// Ownership: owns the callables; the library owns the resources.
// Lifetime: shared with the library's pool, which may outlive the PHP object.
// Errors: a hook throws PhpException or PhpCancellation for an exception of PHP code.
#pragma once

#include <unordered_set>

#include "support/stored_call.hpp"
#include "trueasync/pool/options.hpp"

namespace trueasync::php {

struct PoolHooks {
  StoredCall factory;
  StoredCall destructor;
  StoredCall healthcheck;
  StoredCall before_acquire;
  StoredCall before_release;
  std::unordered_set<Value*> resources;  // idle, leased or passed to a hook; reported to the cycle collector
  bool is_shutting_down = false;         // the PHP object is being freed: hooks are not called any more

  // Null if the factory returns null.
  std::unique_ptr<Value> create();
  void destroy(Value& resource);
  // Calls a check. Returns false only for a falsy result other than null.
  bool check(StoredCall& hook, Value& resource);
  void report(GcBuffer& buffer) noexcept;
};

// Options with the hooks that are set; everything else has its default.
PoolOptions<Value> make_pool_options(const std::shared_ptr<PoolHooks>& hooks);

}  // namespace trueasync::php
