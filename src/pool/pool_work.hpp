// One coroutine of a pool's own: what it does, and what is to be done if it ends before it began.
#pragma once

#include <utility>

#include "pool/resource_pool.hpp"

namespace trueasync::detail {

struct PoolWork {
  PoolWork(Ref<ResourcePool> home, PoolSlot* on, ResourcePool::Step call, ResourcePool::Step otherwise) noexcept
      : pool(std::move(home)), slot(on), step(call), instead(otherwise) {}
  PoolWork(PoolWork&& other) noexcept = default;  // leaves an empty one
  ~PoolWork();
  void operator()() noexcept;

  Ref<ResourcePool> pool;
  PoolSlot* slot;
  ResourcePool::Step step;
  ResourcePool::Step instead;
  bool has_begun = false;
};

}  // namespace trueasync::detail
