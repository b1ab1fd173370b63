// One coroutine of a pool's own: what it does, and what is to be done if it ends before it began.
#pragma once

#include <utility>

#include "pool/resource_pool.hpp"

namespace trueasync::detail {

struct BackgroundTask {
  BackgroundTask(Ref<ResourcePool> home, PoolSlot* on, ResourcePool::Step call, ResourcePool::Step otherwise) noexcept
      : pool(std::move(home)), slot(on), step(call), on_not_started(otherwise) {}
  BackgroundTask(BackgroundTask&& other) noexcept = default;  // leaves an empty one
  ~BackgroundTask();
  void operator()() noexcept;

  Ref<ResourcePool> pool;
  PoolSlot* slot;
  ResourcePool::Step step;
  ResourcePool::Step on_not_started;
  bool has_begun = false;
};

}  // namespace trueasync::detail
