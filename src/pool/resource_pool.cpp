// Construction, statistics and the event of a pool.
#include "pool/resource_pool.hpp"

#include "base/check.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

void check_times(const PoolOptions<void>& options) {
  for (const auto& time : {options.healthcheck_interval, options.max_lifetime, options.idle_timeout,
                           options.create_timeout, options.leak_threshold}) {
    if (time && time->count() <= 0)
      throw MisuseError("PoolOptions: times must be greater than zero; leave them empty for none");
  }
  if (options.backoff_initial.count() < 0 || options.backoff_max.count() < 0) {
    throw MisuseError("PoolOptions: backoff_initial and backoff_max must not be negative");
  }
  if (!(options.jitter >= 0 && options.jitter <= 1)) throw MisuseError("PoolOptions::jitter must be 0 to 1");
}

}  // namespace

void ResourcePool::check_sizes(std::size_t min, std::size_t max) {
  constexpr std::size_t kTooLarge = 1U << 31;  // detects negative numbers that were converted to size_t
  if (max == 0) throw MisuseError("PoolOptions::max must be at least 1");
  if (max >= kTooLarge) throw MisuseError("PoolOptions::max must not be negative or exceed 2147483647");
  if (min > max) {
    throw MisuseError("PoolOptions::min must not exceed max (" + std::to_string(min) + " > " + std::to_string(max) +
                      ")");
  }
}

Ref<ResourcePool> ResourcePool::make(PoolConfig config, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("Pool");
  const PoolOptions<void>& options = config.options;
  if (!options.factory) throw MisuseError("PoolOptions::factory is not set");
  check_sizes(options.min, options.max);
  if (options.max_creating == 0) throw MisuseError("PoolOptions::max_creating must be at least 1");
  check_times(options);
  auto pool = Ref<ResourcePool>::adopt(new ResourcePool(std::move(config), scheduler));
  try {
    pool->warm_up(location);
  } catch (...) {
    pool.detach()->abandon();
    throw;
  }
  return pool;
}

ResourcePool::ResourcePool(PoolConfig config, Scheduler& scheduler)
    : order_(config.options.order),
      scheduler_(&scheduler),
      breaker_(std::move(config.options.breaker)),
      options_(std::move(config.options)),
      hook_context_(std::move(config.user)),
      maintenance_timer_(*this, scheduler.reactor(), &ResourcePool::on_maintenance_due),
      backoff_timer_(*this, scheduler.reactor(), &ResourcePool::on_backoff_elapsed),
      random_(options_.seed ? options_.seed
                            : static_cast<std::uint64_t>(scheduler.reactor().now().time_since_epoch().count())),
      backoff_(make_backoff()) {
  set_flag(kBeforeAcquire, options_.before_acquire != nullptr);
  set_flag(kReleaseHooks, options_.before_release != nullptr || options_.reset != nullptr);
  set_flag(kDiscardOnUnwind, options_.on_unwind == OnUnwind::discard);
  set_flag(kExpiring, options_.max_lifetime || options_.idle_timeout);
  if (options_.reset) lease_state_ = ResourceState::dirty;
  breaker_.set_observer(&ResourcePool::on_breaker, this);
}

ResourcePool::~ResourcePool() {
  TRUEASYNC_CHECK(waiters_.empty(), "pool destroyed with waiters");
  breaker_.set_observer(nullptr, nullptr);
}

// Waits until the first `min` resources exist, unless WarmUp::background is set.
void ResourcePool::warm_up(SourceLocation location) {
  if (options_.healthcheck && options_.healthcheck_interval) {
    check_due_ = deadline_after(scheduler_->reactor().now(), *options_.healthcheck_interval);
  }
  arm_maintenance_timer();
  replenish();
  if (options_.warm_up == WarmUp::background) return;
  while (existing_ < options_.min) {
    if (last_error_) std::rethrow_exception(last_error_);
    WaitEntry entry(changed_);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    throw_wait_error(*scheduler_, scheduler_->wait(request, location), &request);
  }
}

Scheduler& ResourcePool::require_owner_thread(const char* operation) const {
  Scheduler& current = require_scheduler(operation);
  if (&current != scheduler_)
    throw MisuseError(std::string(operation) + ": " + label() + " belongs to another runtime");
  return current;
}

TimePoint ResourcePool::cached_now() const noexcept { return scheduler_ ? scheduler_->last_poll_time() : Clock::now(); }

void ResourcePool::notify_change() noexcept {
  if (changed_.has_subscribers()) changed_.fire();
}

std::exception_ptr ResourcePool::cancelled_error() const noexcept {
  if (is_closed()) return std::make_exception_ptr(PoolClosedError(label() + ": closed while waiting"));
  return std::make_exception_ptr(PoolError(label() + ": a hook was cancelled"));
}

// Cancelled must not reach another coroutine: it would look like a cancellation of that coroutine.
std::exception_ptr ResourcePool::replace_cancellation(std::exception_ptr error) const noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const OperationCancelled&) {
    return error;
  } catch (const Cancelled&) {
    return cancelled_error();
  } catch (...) {
    return error;
  }
}

// Reports an error that has no caller.
void ResourcePool::report(std::exception_ptr error) noexcept {
  if (options_.on_error) {
    try {
      if (!is_on_owner_thread()) return options_.on_error(error);
      Scheduler::NoSuspend guard(*scheduler_, "the on_error hook of a pool");
      return options_.on_error(error);
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (is_on_owner_thread()) scheduler_->report_unhandled(*scheduler_->running(), std::move(error), "a pool");
}

void ResourcePool::on_breaker(void* context, BreakerState, BreakerState to) noexcept {
  auto& pool = *static_cast<ResourcePool*>(context);
  pool.set_flag(kBreakerNotActive, to != BreakerState::active);
  if (to == BreakerState::inactive && pool.options_.on_deactivate == OnDeactivate::fail_waiters) {
    pool.fail_all_waiters(std::make_exception_ptr(pool.breaker_.unavailable_error()));
  }
  if (to == BreakerState::active) pool.replenish();
}

bool ResourcePool::replay(Notification& result) const noexcept {
  if (is_closed()) {
    result = {0, std::make_exception_ptr(PoolClosedError(label() + ": closed"))};
    return true;
  }
  return !idle_.empty() && !is_paused();
}

PoolStatistics ResourcePool::statistics() const {
  PoolStatistics now;
  now.min = options_.min;
  now.max = options_.max;
  now.total = existing_;
  now.idle = idle_.size();
  now.active = active_count();
  now.reserved = reserved_;
  now.creating = creating_;
  now.waiting = waiting_;
  now.created = created_;
  now.destroyed = destroyed_;
  now.acquired = acquired_;
  now.timeouts = timeouts_;
  now.failed_creations = failed_creations_;
  now.failed_checks = failed_checks_;
  now.leaks = leaks_;
  now.wait = wait_time_.snapshot();
  now.hold = hold_time_.snapshot();
  now.create = creation_time_.snapshot();
  now.age = age_.snapshot();
  return now;
}

}  // namespace trueasync::detail
