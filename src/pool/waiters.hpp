// PoolWaiter and the functions on waiters that the fast paths of acquire and release need inline.
#pragma once

#include <utility>

#include "pool/resource_pool.hpp"

namespace trueasync::detail {

// PoolWaiter: a coroutine that waits for a resource, or for before_acquire to return. Lives on the coroutine's stack.
struct PoolWaiter {
  inline PoolWaiter(ResourcePool& pool, WaitEntry& wait_entry) noexcept;

  WaitEntry& entry;
  PoolSlot* slot = nullptr;  // the reserved resource
  std::exception_ptr error;  // or why there is none
  bool is_counted = false;   // in ResourcePool::waiting_
};

// WaiterCount: counts a waiter in waiting_ until it is woken or stops waiting.
struct ResourcePool::WaiterCount {
  WaiterCount(ResourcePool& owner, PoolWaiter& counted) noexcept : pool(owner), waiter(counted) {
    waiter.is_counted = true;
    ++pool.waiting_;
  }
  ~WaiterCount() {
    if (waiter.is_counted) pool.remove_waiter(waiter);
  }
  WaiterCount(const WaiterCount&) = delete;
  WaiterCount& operator=(const WaiterCount&) = delete;

  ResourcePool& pool;
  PoolWaiter& waiter;
};

PoolWaiter::PoolWaiter(ResourcePool& pool, WaitEntry& wait_entry) noexcept : entry(wait_entry) {
  entry.event = &pool;
  entry.owner = this;
}

inline PoolWaiter* ResourcePool::oldest() noexcept {
  WaitEntry* entry = waiters_.front();
  return entry ? static_cast<PoolWaiter*>(entry->owner) : nullptr;
}

inline void ResourcePool::wake(PoolWaiter& waiter) noexcept {
  waiter.entry.unlink();
  if (std::exchange(waiter.is_counted, false)) --waiting_;
  wake_waiter(waiter.entry);
}

inline void ResourcePool::grant(PoolWaiter& waiter, PoolSlot& slot) noexcept {
  slot.state = SlotState::reserved;
  ++reserved_;
  waiter.slot = &slot;
  wake(waiter);
}

}  // namespace trueasync::detail
