#include "pool_hooks.hpp"

#include "support/library_call.hpp"

namespace trueasync::php {

std::unique_ptr<Value> PoolHooks::create() {
  auto resource = std::make_unique<Value>(call_from_library(factory, {}));
  if (Z_TYPE_P(resource->get()) <= IS_NULL) return nullptr;
  resources.insert(resource.get());
  return resource;
}

void PoolHooks::destroy(Value& resource) {
  resources.erase(&resource);
  if (!destructor || is_shutting_down || is_engine_dead()) return;
  // The argument must stay valid even if the destructor drops every other reference to the resource.
  const Value keep_alive(resource);
  call_from_library(destructor, {*keep_alive.get()});
}

bool PoolHooks::check(StoredCall& hook, Value& resource) {
  if (is_shutting_down || is_engine_dead()) return true;
  const Value result = call_from_library(hook, {*resource.get()});
  return Z_TYPE_P(result.get()) <= IS_NULL || zend_is_true(const_cast<zval*>(result.get()));
}

void PoolHooks::report(GcBuffer& buffer) noexcept {
  for (StoredCall* hook : {&factory, &destructor, &healthcheck, &before_acquire, &before_release}) hook->report(buffer);
  for (Value* resource : resources) buffer.add(*resource);
}

PoolOptions<Value> make_pool_options(const std::shared_ptr<PoolHooks>& hooks) {
  const auto check = [&](StoredCall PoolHooks::*hook) -> std::function<bool(Value&)> {
    if (!(hooks.get()->*hook)) return {};
    return [hooks, hook](Value& resource) { return hooks->check(hooks.get()->*hook, resource); };
  };
  PoolOptions<Value> options;
  options.factory = PoolFactory<Value>([hooks] { return hooks->create(); });
  options.destructor = [hooks](Value& resource) { hooks->destroy(resource); };
  options.healthcheck = check(&PoolHooks::healthcheck);
  options.before_acquire = check(&PoolHooks::before_acquire);
  options.before_release = check(&PoolHooks::before_release);
  return options;
}

}  // namespace trueasync::php
