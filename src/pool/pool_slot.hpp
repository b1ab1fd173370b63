// One resource of a pool and all that is known about it. Slots are made with resources and used again; they go with the
// pool, so a ticket that is out of date can always be told.
//
// States, and who has the slot:
//   none      no resource; in the list of free slots, or with the creation that will fill it
//   idle      in the ring of idle ones
//   leased    with somebody who was given a ticket
//   reserved  promised to a waiter that was woken and has not run yet
//   busy      in the hands of a hook, a health check or its destructor
// All but none and idle count as active (PO-15).
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trueasync/circuit_breaker.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait.hpp"

namespace trueasync::detail {

class ResourcePool;
struct PoolWaiter;

enum class SlotState : std::uint8_t { none, idle, leased, reserved, busy };

struct PoolSlot {
  void* resource = nullptr;
  ResourcePool* pool = nullptr;
  std::uint32_t generation = 0;  // of its leases so far: the last one is the one that counts
  SlotState state = SlotState::none;
  bool is_fresh = false;          // has never been idle nor lent: before_acquire is not for it
  bool is_leak_reported = false;  // of this lease
  BreakerPermit permit;           // of the one who has it
  TimePoint since{};              // the lease, or being idle, began
  std::uint64_t holder = 0;       // the coroutine's number
  SourceLocation location;        // of the acquire
  int exceptions = 0;             // that were in flight then
  std::chrono::nanoseconds idle_limit{};
  TimePoint created{};
  TimePoint expires = TimePoint::max();
  std::uint64_t check_round = 0;       // which round of health checks
  PoolWaiter* check_waiter = nullptr;  // busy with a check of somebody who waits for its end; null: it has left
  Coroutine task;                      // that fills or checks it
};

// Every slot there is, the free ones, and which resource is in which.
class PoolSlots {
 public:
  // A free one. Throws std::bad_alloc.
  PoolSlot& allocate(ResourcePool& pool) {
    if (free_.empty()) {
      auto slot = std::make_unique<PoolSlot>();
      slot->pool = &pool;
      all_.push_back(std::move(slot));
      free_.reserve(all_.capacity());  // so that giving one back never fails
      return *all_.back();
    }
    PoolSlot* slot = free_.back();
    free_.pop_back();
    return *slot;
  }
  void free(PoolSlot& slot) noexcept {
    slot.state = SlotState::none;
    slot.task = {};
    free_.push_back(&slot);
  }

  // False if that resource is here already. Throws std::bad_alloc.
  bool fill(PoolSlot& slot, void* resource) {
    if (!by_resource_.emplace(resource, &slot).second) return false;
    slot.resource = resource;
    return true;
  }
  void* empty(PoolSlot& slot) noexcept {
    by_resource_.erase(slot.resource);
    return std::exchange(slot.resource, nullptr);
  }
  PoolSlot* find(void* resource) const noexcept {
    const auto found = by_resource_.find(resource);
    return found == by_resource_.end() ? nullptr : found->second;
  }

  template <class F>
  void for_each(F&& function) const {
    for (const auto& slot : all_) function(*slot);
  }
  std::size_t size() const noexcept { return all_.size(); }

 private:
  std::vector<std::unique_ptr<PoolSlot>> all_;
  std::vector<PoolSlot*> free_;
  std::unordered_map<void*, PoolSlot*> by_resource_;
};

}  // namespace trueasync::detail
