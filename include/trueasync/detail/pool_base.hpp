// A pool apart from the type of its resources. Behind it stands src/pool.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trueasync/circuit_breaker.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/pool_options.hpp"
#include "trueasync/pool_statistics.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::detail {

class ResourcePool;
struct PoolSlot;

// What a lease consists of. The number makes it the only one: a slot counts its leases. Null: none.
struct LeaseHandle {
  PoolSlot* slot = nullptr;
  void* resource = nullptr;
  std::uint32_t generation = 0;
  ResourceState state = ResourceState::clean;

  explicit operator bool() const noexcept { return slot != nullptr; }
};

// What the hooks get as their last argument, and how it goes when the pool is done with it.
using PoolHookContext = std::unique_ptr<void, void (*)(void*)>;

// All that a pool is made from.
struct PoolConfig {
  PoolOptions<void> options;
  PoolHookContext user{nullptr, [](void*) {}};
};

// Throws what the hooks threw, MisuseError for a lease that is over; it is over afterwards either way.
TRUEASYNC_EXPORT void release_lease(const LeaseHandle& ticket);
// For a lease that goes by itself: errors go to PoolOptions::on_error.
TRUEASYNC_EXPORT void drop_lease(const LeaseHandle& ticket) noexcept;
TRUEASYNC_EXPORT ResourcePool* pool_of(const LeaseHandle& ticket) noexcept;

class TRUEASYNC_EXPORT PoolBase {
 public:
  PoolBase(const PoolBase&) = delete;
  PoolBase& operator=(const PoolBase&) = delete;

  // No new acquires, those who wait get PoolClosedError, idle resources are destroyed, those in use when they come back.
  // Throws what destructors threw, several as a CompositeError; all have been called.
  void close();
  // Lets nobody in any more, serves who waits already, then closes. Returns how many leases are still out, which is 0
  // unless the limit passed.
  std::size_t drain(std::optional<std::chrono::nanoseconds> timeout = std::nullopt,
                    SourceLocation location = SourceLocation::current());
  // While it is paused nobody gets a resource; who asks waits.
  void pause() noexcept;
  void resume() noexcept;
  // What is too many goes at once if it is idle, when it comes back otherwise.
  void resize(std::size_t min, std::size_t max);

  bool is_closed() const noexcept;
  bool is_paused() const noexcept;
  // idle + active
  std::size_t count() const noexcept;
  std::size_t idle_count() const noexcept;
  std::size_t active_count() const noexcept;
  // Being made: they count against max, not in count().
  std::size_t creating_count() const noexcept;
  PoolStatistics statistics() const;
  // Who has one, the longest first.
  std::vector<LeaseHolder> holders() const;
  std::string describe() const;

  // Creations, checks or destructors run on the pool's behalf, which its destructor would wait for.
  bool has_background_work() const noexcept;
  // Waits for them. For an owner who lets the pool go where nobody may wait: it sees to that before.
  void await_background_work() noexcept;

  CircuitBreaker& breaker() noexcept;
  // POOL-07: fires when a resource has come free that nobody waited for, and when the pool is closed, with PoolClosedError.
  // Whoever is woken by it has been promised nothing: try_acquire().
  Event& event() const noexcept;
  ResourcePool& core() const noexcept { return *core_; }

 protected:
  PoolBase(PoolConfig recipe, SourceLocation location);
  // Closes it and waits for what still runs on its behalf: creations and checks.
  ~PoolBase();

  LeaseHandle acquire_handle(SourceLocation location);
  LeaseHandle acquire_handle(std::chrono::nanoseconds timeout, SourceLocation location);
  LeaseHandle acquire_handle(Event& token, SourceLocation location);
  LeaseHandle try_acquire_handle(SourceLocation location);

 private:
  Ref<ResourcePool> core_;
};

}  // namespace trueasync::detail
