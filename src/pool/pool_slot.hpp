// PoolSlot: one resource of a pool and its bookkeeping. Slots are reused and live as long as the pool, so that an
// expired lease handle is always detected.
//
// States
//   none      no resource; in the list of free slots, or owned by the creation that will fill it
//   idle      in the pool's ring of idle resources
//   leased    a lease handle exists
//   reserved  granted to a waiter that was woken and has not run yet
//   busy      used by a hook, a health check or the destructor
// leased, reserved and busy count as active.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trueasync/coroutine.hpp"
#include "trueasync/event.hpp"
#include "trueasync/pool/circuit_breaker.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::detail {

class ResourcePool;
struct PoolWaiter;

enum class SlotState : std::uint8_t { none, idle, leased, reserved, busy };

struct PoolSlot {
  void* resource = nullptr;
  ResourcePool* pool = nullptr;
  std::uint32_t generation = 0;  // incremented by each lease; a handle with an older value is expired
  SlotState state = SlotState::none;
  bool is_new = false;                      // never idle or leased yet: before_acquire is skipped
  bool is_leak_reported = false;            // the current lease was reported as leaked
  BreakerPermit permit;                     // of the current lease
  TimePoint since{};                        // start of the lease or of the idle time
  std::uint64_t holder = 0;                 // id of the coroutine that acquired the lease
  SourceLocation location;                  // of the acquire() call
  int exceptions = 0;                       // std::uncaught_exceptions() at the acquire
  std::chrono::nanoseconds idle_timeout{};  // with jitter
  TimePoint created{};
  TimePoint expires = TimePoint::max();  // end of max_lifetime, with jitter
  std::uint64_t check_round = 0;         // the last round of health checks that included it
  PoolWaiter* check_waiter = nullptr;    // waits for the before_acquire in `task`; null if it stopped waiting
  Coroutine task;                        // the background coroutine that creates, checks or destroys the resource
};

// PoolSlots: owns the slots of a pool and finds the slot of a resource.
class PoolSlots {
 public:
  // Returns a free slot. Throws std::bad_alloc.
  PoolSlot& allocate(ResourcePool& pool) {
    if (free_.empty()) {
      auto slot = std::make_unique<PoolSlot>();
      slot->pool = &pool;
      all_.push_back(std::move(slot));
      free_.reserve(all_.capacity());  // so that free() never allocates
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

  // Returns false if another slot holds this resource. Throws std::bad_alloc.
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
