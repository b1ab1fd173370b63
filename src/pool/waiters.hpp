// Those who wait for a resource, as the short ways of acquire and release need them inline.
#pragma once

#include <utility>

#include "pool/resource_pool.hpp"

namespace trueasync::detail {

// Somebody who waits for a resource, or for the end of a check of one. Lives on its stack.
struct PoolWaiter {
  inline PoolWaiter(ResourcePool& pool, WaitEntry& its_entry) noexcept;

  WaitEntry& entry;
  PoolSlot* slot = nullptr;  // what it was promised
  std::exception_ptr error;  // or why it gets nothing
  bool is_counted = false;   // as one of those who wait
};

// Counts one who waits, from here to its service or its leave.
struct ResourcePool::WaiterCount {
  WaiterCount(ResourcePool& home, PoolWaiter& who) noexcept : pool(home), waiter(who) {
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

PoolWaiter::PoolWaiter(ResourcePool& pool, WaitEntry& its_entry) noexcept : entry(its_entry) {
  entry.event = &pool;
  entry.owner = this;
}

inline PoolWaiter* ResourcePool::oldest() noexcept {
  WaitEntry* entry = waiters_.front();
  return entry ? static_cast<PoolWaiter*>(entry->owner) : nullptr;
}

// It leaves its queue and is woken.
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
