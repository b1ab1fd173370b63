// ResourcePool: the untyped pool behind Pool<T> and the C API. Resources are pointers, hooks are function pointers.
//
// Invariants
//   1. While coroutines wait, no resource is idle, unless the pool is paused: a resource that becomes available is
//      reserved for the oldest waiter, which leaves the queue. A new caller that finds an idle resource may take it
//      without overtaking a waiter.
//   2. existing_ + creating_ <= options_.max, except for a time after a resize. Capacity is taken before the factory is
//      called and returned after the destructor has ended.
//   3. creating_ >= waiting_ and existing_ + creating_ >= min, as far as max, max_creating and the backoff after a
//      failure allow. replenish() restores this; every change of one of these values must call it.
//   4. created_ - destroyed_ = existing_ = idle_.size() + active_count().
//
// The fast paths of acquire and release test flags_ once for every special case.
//
// Hooks run only in coroutines that may suspend: the acquirer's, the releaser's or a background coroutine of the pool
// (background_task.cpp). Background coroutines are zombies: they neither keep the program alive nor count for deadlock
// detection. Code that must not suspend (a reclaim, a timer) passes a resource to such a coroutine for destruction.
//
// Lifetime: reference-counted. References: the owner's handle, one per background coroutine, and, after abandon(), one
// for all leased resources together.
// Thread safety: one runtime.
// Errors: as documented in trueasync/pool/pool.hpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/histogram_recorder.hpp"
#include "base/ring_buffer.hpp"
#include "pool/pool_slot.hpp"
#include "pool/pool_timer.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/detail/pool_base.hpp"
#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/pool/circuit_breaker.hpp"
#include "trueasync/sync/retry.hpp"

namespace trueasync::detail {

class ResourcePool final : public Event {
 public:
  // Throws MisuseError for invalid options and outside a runtime, and errors of the factory during the warm-up.
  static Ref<ResourcePool> make(PoolConfig config, SourceLocation location);
  // Releases the owner's reference; called instead of release(). Closes the pool and waits for its background
  // coroutines. Leases stay valid. Errors go to on_error.
  void abandon() noexcept;

  // acquire.cpp
  LeaseHandle acquire(WaitOptions options, SourceLocation location);
  // Returns an empty handle if no resource is idle.
  LeaseHandle try_acquire(SourceLocation location);

  // release.cpp
  // Throws MisuseError for an expired lease and for a lease of another pool, without effect. Otherwise the lease is
  // expired afterwards, also if a hook throws.
  void release_lease(const LeaseHandle& handle);
  // Releases a destroyed lease: errors go to on_error.
  void drop(const LeaseHandle& handle) noexcept;
  // Returns the current lease of `resource`; empty if it is not leased or not a resource of this pool.
  LeaseHandle find(void* resource) const noexcept;

  // close.cpp
  void close();
  std::size_t drain(WaitOptions options, SourceLocation location);
  void pause() noexcept;
  void resume() noexcept;
  void resize(std::size_t min, std::size_t max);

  bool is_closed() const noexcept { return flags_ & kClosed; }
  bool is_paused() const noexcept { return flags_ & kPaused; }
  std::size_t count() const noexcept { return existing_; }
  std::size_t idle_count() const noexcept { return idle_.size(); }
  std::size_t active_count() const noexcept { return existing_ - idle_.size(); }
  std::size_t creating_count() const noexcept { return creating_; }
  bool has_background_work() const noexcept { return background_count_ != 0; }
  CircuitBreaker& breaker() noexcept { return breaker_; }
  const PoolOptions<void>& options() const noexcept { return options_; }
  // The oldest waiter is first.
  const WaiterList& waiting() const noexcept { return waiters_; }
  PoolStatistics statistics() const;
  std::vector<LeaseHolder> holders(std::size_t max_count = SIZE_MAX) const;

  // Event: fires when a resource becomes idle while no coroutine waits.
  bool replay(Notification& result) const noexcept override;
  std::string describe() const override;
  const Event* blocking_coroutine() const noexcept override;
  bool reclaim(Subscription& subscription) noexcept override;

 private:
  friend class PoolBase;
  friend struct BackgroundTask;
  friend struct PoolTimer;

  enum PoolFlags : std::uint32_t {
    kClosed = 1,
    kDraining = 2,
    kPaused = 4,
    kBreakerNotActive = 8,
    kBeforeAcquire = 16,
    kReleaseHooks = 32,  // before_release or reset is set
    kOverMax = 64,       // a resize left more resources than max
    kDiscardOnUnwind = 128,
    kExpiring = 256,  // max_lifetime or idle_timeout is set
    kAcquireSlowMask = kClosed | kDraining | kPaused | kBreakerNotActive | kBeforeAcquire | kDiscardOnUnwind,
    kReleaseSlowMask = kClosed | kPaused | kReleaseHooks | kOverMax | kDiscardOnUnwind,
  };
  void set_flag(PoolFlags flag, bool on) noexcept { flags_ = on ? flags_ | flag : flags_ & ~flag; }

  ResourcePool(PoolConfig config, Scheduler& scheduler);
  ~ResourcePool() override;
  // Fires whenever a counter of the pool changes. drain(), the warm-up and the destructor wait for it.
  struct Change final : Event {
    void fire() noexcept { notify({}); }
    std::string describe() const override { return "a state change of a pool"; }
    void dispose() noexcept override {}
  };

  // resource_pool.cpp
  static void check_sizes(std::size_t min, std::size_t max);
  void warm_up(SourceLocation location);
  bool is_on_owner_thread() const noexcept { return current_scheduler == scheduler_ && scheduler_ != nullptr; }
  Scheduler& require_owner_thread(const char* operation) const;
  // The time of the last poll: costs no system call.
  TimePoint cached_now() const noexcept;
  void notify_change() noexcept;
  std::exception_ptr cancelled_error() const noexcept;
  std::exception_ptr replace_cancellation(std::exception_ptr error) const noexcept;
  void report(std::exception_ptr error) noexcept;
  static void on_breaker(void* pool, BreakerState from, BreakerState to) noexcept;

  // acquire.cpp
  // When an acquire started and what ends its wait early.
  struct AcquireWait {
    TimePoint start_time{};
    std::optional<TimePoint> deadline;
    Event* token = nullptr;
  };
  enum class QueuePosition : std::uint8_t { back, front };
  PoolSlot& take_idle() noexcept { return *(order_ == PoolOrder::lifo ? idle_.pop_back() : idle_.pop_front()); }
  LeaseHandle make_lease(PoolSlot& slot, BreakerPermit permit, SourceLocation location) noexcept;
  PoolSlot* try_take_idle_fast() noexcept;
  bool must_wait() const noexcept;
  TimePoint wait_start_time() noexcept;
  LeaseHandle wait_fast(SourceLocation location);
  LeaseHandle acquire_slow(WaitOptions options, SourceLocation location);
  void check_open() const;
  PoolSlot& take_or_wait(const AcquireWait& wait, QueuePosition position, SourceLocation location);
  bool run_before_acquire(PoolSlot& slot, const AcquireWait& wait, SourceLocation location);
  void run_before_acquire_task(PoolSlot* slot) noexcept;
  void on_before_acquire_not_started(PoolSlot* slot) noexcept;

  // waiters.cpp
  PoolSlot& wait_for_resource(const AcquireWait& wait, QueuePosition position, SourceLocation location);
  bool wait_for_before_acquire(PoolSlot& slot, const AcquireWait& wait, SourceLocation location);
  void park(PoolWaiter& waiter, std::span<WaitEntry, 2> entries, const AcquireWait& wait, SourceLocation location);
  void link(PoolWaiter& waiter, QueuePosition position) noexcept;
  struct WaiterCount;
  void remove_waiter(PoolWaiter& waiter) noexcept;
  PoolWaiter* oldest() noexcept;
  void grant(PoolWaiter& waiter, PoolSlot& slot) noexcept;
  void wake(PoolWaiter& waiter) noexcept;
  void fail_oldest_waiter(std::exception_ptr error) noexcept;
  void fail_all_waiters(const std::exception_ptr& error) noexcept;
  void grant_idle() noexcept;

  // release.cpp
  // `rejected` counts as a failure of the service, `discarded` does not. Both destroy the resource.
  enum class ReleaseAction : std::uint8_t { accepted, rejected, discarded };
  bool owns(const LeaseHandle& handle) const noexcept;
  bool try_release_fast(const LeaseHandle& handle) noexcept;
  void report_success_and_reuse(PoolSlot& slot) noexcept;
  void release_slow(const LeaseHandle& handle, bool unwinds);
  void drop_slow(const LeaseHandle& handle) noexcept;
  ReleaseAction run_release_hooks(PoolSlot& slot, ResourceState state,
                                  std::vector<std::exception_ptr>& errors) noexcept;
  void make_available(PoolSlot& slot) noexcept;
  bool must_destroy(const PoolSlot& slot) const noexcept;
  void reuse_or_destroy(PoolSlot& slot) noexcept;
  std::exception_ptr destroy(PoolSlot& slot) noexcept;
  void destroy_async(PoolSlot& slot) noexcept;
  void run_destroy(PoolSlot* slot) noexcept;

  // creation.cpp
  bool can_create() const noexcept;
  bool should_create() const noexcept;
  void replenish() noexcept;
  std::exception_ptr start_creation() noexcept;
  void run_creation(PoolSlot* slot) noexcept;
  void on_creation_not_started(PoolSlot* slot) noexcept;
  void* call_factory(std::exception_ptr& error) noexcept;
  bool fill(PoolSlot& slot, void* resource, std::exception_ptr& error) noexcept;
  void on_creation_failed(PoolSlot& slot, std::exception_ptr error) noexcept;
  Backoff make_backoff() const noexcept;
  void start_backoff(const std::exception_ptr& error) noexcept;
  void update_backoff_liveness() noexcept;
  void on_backoff_elapsed() noexcept;

  // background_task.cpp
  using Step = void (ResourcePool::*)(PoolSlot* slot) noexcept;
  // Runs `step` in a background coroutine. If that coroutine is cancelled before it starts, `on_not_started` is called
  // instead. Throws StackError, std::bad_alloc.
  Coroutine spawn_background(const char* name, PoolSlot* slot, Step step, Step on_not_started);
  void on_background_end() noexcept;
  bool is_background_coroutine() const noexcept;
  void await_background_work() noexcept;

  // close.cpp
  void cancel_background_work() noexcept;

  // maintenance.cpp
  void on_maintenance_due() noexcept;
  void run_maintenance(PoolSlot*) noexcept;
  void finish_maintenance(PoolSlot*) noexcept;
  void destroy_expired(TimePoint now);
  void check_health();
  void run_check(PoolSlot* slot) noexcept;
  void on_check_not_started(PoolSlot* slot) noexcept;
  bool is_healthy(PoolSlot& slot) noexcept;
  void return_to_idle(PoolSlot& slot) noexcept;
  void check_leaks(TimePoint now) noexcept;
  void arm_maintenance_timer() noexcept;
  TimePoint expiry_time(const PoolSlot& slot) const noexcept;
  std::chrono::nanoseconds apply_jitter(std::chrono::nanoseconds duration) noexcept;
  double next_random() noexcept;

  // diagnostics.cpp
  // The start of every message: `pool "db"`, or `pool` without a name.
  std::string label() const;
  std::string describe_counts() const;
  std::uint64_t sole_holder_id() const noexcept;
  static LeaseHolder make_holder(const PoolSlot& slot, const std::vector<ControlBlock*>& live_coroutines,
                                 TimePoint now);
  const std::vector<LeaseHolder>& recent_holders();
  PoolTimeoutCause timeout_cause(TimePoint since, const std::vector<LeaseHolder>& longest_holders) const noexcept;
  PoolDiagnosis diagnose(TimePoint since, bool in_hook);
  [[noreturn]] void throw_timeout(TimePoint since, bool in_hook);

  // The fast paths use the first members.
  std::uint32_t flags_ = 0;
  ResourceState lease_state_ = ResourceState::clean;
  PoolOrder order_;
  Scheduler* scheduler_;           // null after the reactor is closed
  RingBuffer<PoolSlot*> idle_{8};  // the resource that is idle longest is first
  WaiterList waiters_;
  std::size_t existing_ = 0;
  std::size_t reserved_ = 0;  // granted to waiters that have not run yet
  std::size_t waiting_ = 0;
  TimePoint first_wait_start_{};  // when the first of the current waiters started to wait
  std::size_t creating_ = 0;
  std::uint64_t acquired_ = 0;
  std::uint64_t created_ = 0;
  std::uint64_t destroyed_ = 0;
  CircuitBreaker breaker_;
  HistogramRecorder wait_time_;
  HistogramRecorder hold_time_;
  HistogramRecorder creation_time_;
  HistogramRecorder age_;

  PoolOptions<void> options_;
  PoolHookContext hook_context_;
  PoolSlots slots_;
  Change changed_;
  std::size_t background_count_ = 0;  // background coroutines that have not finished
  bool owner_released_ = false;       // after abandon(): the leased resources hold one reference
  Coroutine maintenance_;             // empty unless maintenance runs
  PoolTimer maintenance_timer_;
  TimePoint check_due_ = TimePoint::max();
  std::uint64_t check_round_ = 0;  // number of the current round of health checks
  PoolTimer backoff_timer_;        // armed between a failed creation and the next attempt
  std::uint64_t random_;           // state of next_random()
  Backoff backoff_;
  std::exception_ptr last_error_;  // of the factory; null after it succeeded
  std::uint64_t failed_creations_ = 0;
  std::uint64_t failed_checks_ = 0;
  std::uint64_t timeouts_ = 0;
  std::uint64_t leaks_ = 0;
  std::vector<LeaseHolder> recent_holders_;  // cache of recent_holders()
  TimePoint holders_valid_until_{};
};

}  // namespace trueasync::detail
