// Creation of resources. Each creation runs in its own background coroutine, so that it survives the cancellation of
// the requester; the new resource goes to the oldest waiter or becomes idle. A failed creation is reported to the
// oldest waiter, and the next creation starts after a backoff.
#include "pool/operation_timeout.hpp"
#include "reactor/timer_queue.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

bool ResourcePool::can_create() const noexcept {
  return !(flags_ & (kClosed | kPaused)) && creating_ < options_.max_creating && existing_ + creating_ < options_.max &&
         !backoff_timer_.is_armed() && is_on_owner_thread() && !scheduler_->is_shutting_down();
}

bool ResourcePool::should_create() const noexcept {
  const bool is_below_min = existing_ + creating_ < options_.min && !(flags_ & (kDraining | kBreakerNotActive));
  return (creating_ < waiting_ || is_below_min) && can_create();
}

void ResourcePool::replenish() noexcept {
  while (should_create()) {
    if (auto error = start_creation()) start_backoff(error);
  }
  update_backoff_liveness();
}

// Takes capacity immediately: concurrent acquires must not create more than max resources.
std::exception_ptr ResourcePool::start_creation() noexcept {
  PoolSlot* slot = nullptr;
  try {
    slot = &slots_.allocate(*this);
    idle_.reserve(slots_.size());
    slot->task =
        spawn_background("pool: factory", slot, &ResourcePool::run_creation, &ResourcePool::on_creation_not_started);
    ++creating_;
    return nullptr;
  } catch (...) {
    if (slot) slots_.free(*slot);
    return std::current_exception();
  }
}

void ResourcePool::run_creation(PoolSlot* slot) noexcept {
  const TimePoint start_time = scheduler_->reactor().now();
  std::exception_ptr error;
  void* resource = call_factory(error);
  slot->task = {};
  if (!resource || !fill(*slot, resource, error)) return on_creation_failed(*slot, std::move(error));
  const TimePoint now = scheduler_->reactor().now();
  creation_time_.record(now - start_time);
  --creating_;
  ++existing_;
  ++created_;
  slot->state = SlotState::busy;
  slot->is_new = true;
  slot->since = slot->created = now;
  slot->expires = options_.max_lifetime ? deadline_after(now, apply_jitter(*options_.max_lifetime)) : TimePoint::max();
  slot->idle_timeout = options_.idle_timeout ? apply_jitter(*options_.idle_timeout) : Duration::zero();
  if (std::exchange(last_error_, nullptr)) {
    backoff_ = make_backoff();
    backoff_timer_.cancel();
  }
  if (must_destroy(*slot)) return run_destroy(slot);
  make_available(*slot);
  replenish();
  notify_change();
}

void* ResourcePool::call_factory(std::exception_ptr& error) noexcept {
  OperationTimeout timeout(*scheduler_, options_.create_timeout);
  try {
    if (void* resource = options_.factory(hook_context_.get())) return resource;
    error = std::make_exception_ptr(PoolError(label() + ": the factory returned no resource"));
  } catch (...) {
    error = timeout.has_expired()
                ? std::make_exception_ptr(TimeoutError(label() + ": the factory exceeded create_timeout"))
                : replace_cancellation(std::current_exception());
  }
  return nullptr;
}

bool ResourcePool::fill(PoolSlot& slot, void* resource, std::exception_ptr& error) noexcept {
  try {
    if (slots_.fill(slot, resource)) return true;
    error =
        std::make_exception_ptr(PoolError(label() + ": the factory returned a resource that is already in the pool"));
  } catch (...) {
    error = std::current_exception();
    try {
      if (options_.destructor) options_.destructor(resource, hook_context_.get());
    } catch (...) {
      report(std::current_exception());
    }
  }
  return false;
}

void ResourcePool::on_creation_failed(PoolSlot& slot, std::exception_ptr error) noexcept {
  --creating_;
  slots_.free(slot);
  if (!is_closed()) {
    breaker_.report_failure(error);
    start_backoff(error);
    fail_oldest_waiter(std::move(error));
    replenish();
  }
  notify_change();
}

void ResourcePool::on_creation_not_started(PoolSlot* slot) noexcept {
  --creating_;
  slot->task = {};
  slots_.free(*slot);
  fail_oldest_waiter(cancelled_error());
  notify_change();
}

Backoff ResourcePool::make_backoff() const noexcept {
  return Backoff(
      RetryOptions{.initial_delay = options_.backoff_initial, .max_delay = options_.backoff_max, .seed = random_ | 1});
}

// Creations that fail together share one backoff delay.
void ResourcePool::start_backoff(const std::exception_ptr& error) noexcept {
  ++failed_creations_;
  last_error_ = error;
  if (backoff_timer_.is_armed() || is_closed() || !is_on_owner_thread()) return;
  const auto liveness = waiting_ != 0 ? TimerQueue::Liveness::foreground : TimerQueue::Liveness::background;
  backoff_timer_.arm(deadline_after(scheduler_->reactor().now(), backoff_.next()), liveness);
}

// The backoff timer is foreground while coroutines wait for it: otherwise their wait would count as a deadlock.
void ResourcePool::update_backoff_liveness() noexcept {
  if (!backoff_timer_.is_armed()) return;
  const auto liveness = waiting_ != 0 ? TimerQueue::Liveness::foreground : TimerQueue::Liveness::background;
  if (backoff_timer_.liveness != liveness) backoff_timer_.arm(backoff_timer_.when(), liveness);
}

void ResourcePool::on_backoff_elapsed() noexcept {
  while (should_create()) {
    auto error = start_creation();
    if (!error) continue;
    start_backoff(error);
    fail_oldest_waiter(std::move(error));
  }
}

}  // namespace trueasync::detail
