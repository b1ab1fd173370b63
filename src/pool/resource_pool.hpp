// The pool of resources behind Pool<T> and the C interface. It knows resources as pointers and hooks as function pointers.
//
// Invariants
//   1. While somebody waits nothing is idle, unless the pool is paused: what comes free is reserved for the oldest waiter
//      and leaves the queue with it. So a newcomer can't overtake, and an acquire that finds something idle may take it.
//   2. existing_ + creating_ <= options_.max, but for a while after a resize: capacity is taken before the factory is
//      called (PO-09) and given back after the destructor has ended.
//   3. Of those who wait creating_ are about to be served by creations, as far as max, max_creating and the pause after
//      a failure allow. replenish() restores that; it is called wherever one of these changes.
//   4. created_ - destroyed_ = existing_ = idle_.size() + active.
//
// The fast way of acquire and release asks one word, gates_, for everything that is special.
//
// Hooks are called only in coroutines that may suspend: an acquirer's, a releaser's, or one of the pool's own (work.cpp),
// which are zombies: they neither keep the program alive nor hide its end. Where nobody may suspend – a reclaim, a timer –
// a resource that has to go is handed to such a coroutine.
//
// Lifetime: counted. The owner's handle, each coroutine of its own, and once the owner is gone the resources still lent
// out as a whole hold it. Threads: one runtime's. Errors: as trueasync/pool.hpp says.
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
#include "trueasync/circuit_breaker.hpp"
#include "trueasync/detail/pool_base.hpp"
#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/retry.hpp"

namespace trueasync::detail {

class ResourcePool final : public Event {
 public:
  // Throws MisuseError for bad options and outside a runtime, and what the factory throws while it warms up.
  static Ref<ResourcePool> make(PoolConfig recipe, SourceLocation location);
  // The one who made it lets it go: it is closed, its own coroutines have ended, what is lent out is still good. Instead
  // of release(). Errors go to on_error.
  void abandon() noexcept;

  // acquire.cpp
  LeaseHandle acquire(WaitOptions options, SourceLocation location);
  // Empty when nothing is free.
  LeaseHandle try_acquire(SourceLocation location);

  // release.cpp. A ticket that is over, or another pool's, is a MisuseError, and nothing happens. Otherwise it is over
  // afterwards, whatever the hooks throw.
  void release_lease(const LeaseHandle& ticket);
  // For leases that end by themselves: errors go to on_error.
  void drop(const LeaseHandle& ticket) noexcept;
  // The lease a resource is in now; empty: it is in none, or not of this pool. For those who know only the resource.
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
  bool is_working() const noexcept { return background_count_ != 0; }
  CircuitBreaker& breaker() noexcept { return breaker_; }
  const PoolOptions<void>& options() const noexcept { return options_; }
  // Those who wait for a resource, the oldest first.
  const WaiterList& waiting() const noexcept { return waiters_; }
  PoolStatistics statistics() const;
  std::vector<LeaseHolder> holders(std::size_t limit = SIZE_MAX) const;

  // Event (POOL-07)
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
    kBreaker = 8,  // is not active
    kBeforeAcquire = 16,
    kBeforeRelease = 32,  // or a reset
    kOverMax = 64,        // after a resize
    kWatchUnwind = 128,
    kTimed = 256,  // resources expire
    kAcquireSlowMask = kClosed | kDraining | kPaused | kBreaker | kBeforeAcquire | kWatchUnwind,
    kReleaseSlowMask = kClosed | kPaused | kBeforeRelease | kOverMax | kWatchUnwind,
  };
  void set_flag(PoolFlags gate, bool on) noexcept { flags_ = on ? flags_ | gate : flags_ & ~gate; }

  ResourcePool(PoolConfig recipe, Scheduler& scheduler);
  ~ResourcePool() override;
  // Fires whenever something has come to an end, for those who wait for the pool itself.
  struct Change final : Event {
    void fire() noexcept { notify({}); }
    std::string describe() const override { return "a change of a pool"; }
    void dispose() noexcept override {}
  };

  // resource_pool.cpp
  static void check_sizes(std::size_t min, std::size_t max);
  void begin(SourceLocation location);
  bool is_on_owner_thread() const noexcept { return current_scheduler == scheduler_ && scheduler_ != nullptr; }
  Scheduler& require_owner_thread(const char* what) const;
  // The time, at no cost.
  TimePoint cached_now() const noexcept;
  void notify_change() noexcept;
  std::exception_ptr cancelled_error() const noexcept;
  std::exception_ptr replace_cancellation(std::exception_ptr error) const noexcept;
  void report(std::exception_ptr error) noexcept;
  static void on_breaker(void* pool, BreakerState from, BreakerState to) noexcept;

  // acquire.cpp
  struct AcquireDeadline {
    TimePoint begun{};
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
  PoolSlot& take_or_wait(const AcquireDeadline& limits, QueuePosition turn, SourceLocation location);
  bool run_before_acquire(PoolSlot& slot, const AcquireDeadline& limits, SourceLocation location);
  void run_before_acquire_task(PoolSlot* slot) noexcept;
  void on_before_acquire_not_started(PoolSlot* slot) noexcept;

  // waiters.cpp
  PoolSlot& wait_for_resource(const AcquireDeadline& limits, QueuePosition turn, SourceLocation location);
  bool wait_for_before_acquire(PoolSlot& slot, const AcquireDeadline& limits, SourceLocation location);
  void park(PoolWaiter& waiter, std::span<WaitEntry, 2> entries, const AcquireDeadline& limits,
            SourceLocation location);
  void link(PoolWaiter& waiter, QueuePosition turn) noexcept;
  struct WaiterCount;
  void remove_waiter(PoolWaiter& waiter) noexcept;
  PoolWaiter* oldest() noexcept;
  void grant(PoolWaiter& waiter, PoolSlot& slot) noexcept;
  void wake(PoolWaiter& waiter) noexcept;
  void fail_oldest_waiter(std::exception_ptr error) noexcept;
  void fail_all_waiters(const std::exception_ptr& error) noexcept;
  void grant_idle() noexcept;

  // release.cpp
  // Discarded: of no use, but that says nothing about the service.
  enum class ReleaseAction : std::uint8_t { accepted, refused, discarded };
  bool owns(const LeaseHandle& ticket) const noexcept;
  bool try_release_fast(const LeaseHandle& ticket) noexcept;
  void report_success_and_reuse(PoolSlot& slot) noexcept;
  void release_slow(const LeaseHandle& ticket, bool unwinds);
  void drop_slow(const LeaseHandle& ticket) noexcept;
  ReleaseAction run_release_hooks(PoolSlot& slot, ResourceState condition,
                                  std::vector<std::exception_ptr>& errors) noexcept;
  void make_available(PoolSlot& slot) noexcept;
  bool must_destroy(const PoolSlot& slot) const noexcept;
  void reuse_or_destroy(PoolSlot& slot) noexcept;
  std::exception_ptr destroy(PoolSlot& slot) noexcept;
  void destroy_async(PoolSlot& slot) noexcept;
  void run_destroy(PoolSlot* slot) noexcept;

  // creation.cpp
  bool has_room() const noexcept;
  bool wants_creation() const noexcept;
  void replenish() noexcept;
  std::exception_ptr start_creation() noexcept;
  void run_creation(PoolSlot* slot) noexcept;
  void on_creation_not_started(PoolSlot* slot) noexcept;
  void* make_resource(std::exception_ptr& error) noexcept;
  bool fill(PoolSlot& slot, void* resource, std::exception_ptr& error) noexcept;
  void creation_failed(PoolSlot& slot, std::exception_ptr error) noexcept;
  Backoff fresh_backoff() const noexcept;
  void start_backoff(const std::exception_ptr& error) noexcept;
  void update_backoff_liveness() noexcept;
  void on_backoff_elapsed() noexcept;

  // work.cpp
  using Step = void (ResourcePool::*)(PoolSlot* slot) noexcept;
  // Runs `step` in a coroutine of the pool's own; `instead` is called when that ends before it began. Throws StackError,
  // std::bad_alloc.
  Coroutine spawn_background(const char* name, PoolSlot* slot, Step step, Step instead);
  void on_background_end() noexcept;
  bool is_own_coroutine() const noexcept;
  void await_work() noexcept;

  // close.cpp
  void cancel_work() noexcept;

  // upkeep.cpp
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
  TimePoint due(const PoolSlot& slot) const noexcept;
  std::chrono::nanoseconds apply_jitter(std::chrono::nanoseconds duration) noexcept;
  double next_random() noexcept;

  // diagnosis.cpp
  std::string named() const;
  std::uint64_t sole_holder_id() const noexcept;
  static LeaseHolder holder_of(const PoolSlot& slot, const std::vector<ControlBlock*>& living, TimePoint now);
  const std::vector<LeaseHolder>& recent_holders();
  PoolTimeoutCause timeout_cause(TimePoint since, const std::vector<LeaseHolder>& longest) const noexcept;
  PoolDiagnosis diagnose(TimePoint since, bool in_hook);
  [[noreturn]] void throw_timeout(TimePoint since, bool in_hook);

  // The hot ones first.
  std::uint32_t flags_ = 0;
  ResourceState lease_condition_ = ResourceState::clean;
  PoolOrder order_;
  Scheduler* scheduler_;           // null once its reactor is gone
  RingBuffer<PoolSlot*> idle_{8};  // POOL-06. The longest idle first
  WaiterList waiters_;
  std::size_t existing_ = 0;
  std::size_t reserved_ = 0;
  std::size_t waiting_ = 0;
  TimePoint first_wait_{};  // when somebody began to wait while nobody did
  std::size_t creating_ = 0;
  std::uint64_t acquired_ = 0;
  std::uint64_t created_ = 0;
  std::uint64_t destroyed_ = 0;
  CircuitBreaker breaker_;
  HistogramRecorder wait_;
  HistogramRecorder hold_;
  HistogramRecorder create_;
  HistogramRecorder age_;

  PoolOptions<void> options_;
  PoolHookContext user_;
  PoolSlots slots_;
  Change changed_;
  std::size_t background_count_ = 0;  // coroutines of its own
  bool owner_released_ = false;       // its owner is gone: what is lent out holds one reference
  Coroutine upkeep_;
  PoolTimer upkeep_timer_;
  TimePoint check_due_ = TimePoint::max();
  std::uint64_t round_ = 0;  // of health checks
  PoolTimer backoff_timer_;  // between a failed creation and the next one
  std::uint64_t random_;
  Backoff backoff_;
  std::exception_ptr last_error_;  // of the factory, until it succeeds
  std::uint64_t failed_creations_ = 0;
  std::uint64_t failed_checks_ = 0;
  std::uint64_t timeouts_ = 0;
  std::uint64_t leaks_ = 0;
  std::vector<LeaseHolder> recent_holders_;  // of the last diagnosis
  TimePoint holders_until_{};
};

}  // namespace trueasync::detail
