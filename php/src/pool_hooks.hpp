// PoolHooks: the callables that a pool was made with, for the library to call, and all resources there are.
//
// Owns: the callables. Lifetime: the library's pool's, which may be longer than the PHP object's. Errors: what PHP code
// throws leaves a hook as Thrown.
#pragma once

#include <unordered_set>

#include "support/stored_call.hpp"
#include "trueasync/pool_options.hpp"

namespace trueasync::php {

struct PoolHooks {
  StoredCall factory;
  StoredCall destructor;
  StoredCall healthcheck;
  StoredCall before_acquire;
  StoredCall before_release;
  std::unordered_set<Value*> resources;  // idle, lent or in a hook's hands: for the collector (POOL-11)
  bool is_shutting_down = false;         // the engine goes: resources are let go without a call

  std::unique_ptr<Value> make();
  void destroy(Value& resource);
  // Nothing but false, or what counts as false, is an objection; null is none.
  bool check(StoredCall& hook, Value& resource);
  void report(GcBuffer& buffer) noexcept;
};

// The hooks that are there, and nothing else.
PoolOptions<Value> options_with(const std::shared_ptr<PoolHooks>& hooks);

}  // namespace trueasync::php
