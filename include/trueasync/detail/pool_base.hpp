// PoolBase: the untyped part of a pool; implemented in src/pool.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trueasync/detail/access.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/pool/circuit_breaker.hpp"
#include "trueasync/pool/options.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync::detail {

class ResourcePool;
struct PoolSlot;

// LeaseHandle: the contents of a lease. The generation identifies it: a slot counts its leases. Empty if `slot` is
// null.
struct LeaseHandle {
  PoolSlot* slot = nullptr;
  void* resource = nullptr;
  std::uint32_t generation = 0;
  ResourceState state = ResourceState::clean;

  explicit operator bool() const noexcept { return slot != nullptr; }
};

// PoolHookContext: the last argument of every hook, with its deleter.
using PoolHookContext = std::unique_ptr<void, void (*)(void*)>;

// PoolConfig: everything a pool is created from.
struct PoolConfig {
  PoolOptions<void> options;
  PoolHookContext user{nullptr, [](void*) {}};
};

// Releases a lease. Throws errors of hooks; MisuseError for an expired lease. The lease is expired afterwards in any
// case.
TRUEASYNC_EXPORT void release_lease(const LeaseHandle& handle);
// Releases a destroyed lease: errors go to PoolOptions::on_error.
TRUEASYNC_EXPORT void drop_lease(const LeaseHandle& handle) noexcept;
TRUEASYNC_EXPORT ResourcePool* pool_of(const LeaseHandle& handle) noexcept;

class TRUEASYNC_EXPORT PoolBase {
 public:
  PoolBase(const PoolBase&) = delete;
  PoolBase& operator=(const PoolBase&) = delete;

  // Closes the pool: rejects new calls, waiters get PoolClosedError, idle resources are destroyed now, leased resources
  // when they are released. Throws errors of destructors, several as a CompositeError, after all were called.
  void close();
  // Rejects new calls, grants resources to the current waiters, then closes. Returns the number of leases not released
  // when the time of `options` expired, else 0. OperationCancelled if its token fires: the pool then stays open.
  std::size_t drain(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // A paused pool grants no resources; callers wait until resume().
  void pause() noexcept;
  void resume() noexcept;
  // Excess resources are destroyed now if idle, otherwise on release.
  void resize(std::size_t min, std::size_t max);

  bool is_closed() const noexcept;
  bool is_paused() const noexcept;
  // idle_count() + active_count()
  std::size_t count() const noexcept;
  std::size_t idle_count() const noexcept;
  std::size_t active_count() const noexcept;
  // Resources being created: they count against `max`, not in count().
  std::size_t creating_count() const noexcept;
  PoolStatistics statistics() const;
  // The lease holders, the longest first.
  std::vector<LeaseHolder> holders() const;
  std::string describe() const;

  // True while creations, checks or destructors run for the pool; the destructor would wait for them.
  bool has_background_work() const noexcept;
  // Waits for them. For an owner that destroys the pool where it must not suspend.
  void await_background_work() noexcept;

  CircuitBreaker& breaker() noexcept;
  // Fires when a resource becomes idle without a waiter, and with PoolClosedError when the pool is closed. It reserves
  // nothing for the coroutine it wakes: call try_acquire().
  Event& event() const noexcept;

 protected:
  PoolBase(PoolConfig config, SourceLocation location);
  // Closes the pool and waits for creations and checks in flight.
  ~PoolBase();

  LeaseHandle acquire_handle(WaitOptions options, SourceLocation location);
  LeaseHandle try_acquire_handle(SourceLocation location);

 private:
  friend struct Access;
  Ref<ResourcePool> core_;
};

}  // namespace trueasync::detail
