// Making resources. Each creation is a coroutine of its own (XC-15): it survives the one who asked for it, and what it made
// goes to whoever waits longest then, or lands in the pool. A creation that fails is told to the one who waits longest
// (PO-07), and the next begins after a pause.
#include "pool/operation_timeout.hpp"
#include "reactor/timer_queue.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

bool ResourcePool::has_room() const noexcept {
  return !(flags_ & (kClosed | kPaused)) && creating_ < options_.max_creating && existing_ + creating_ < options_.max &&
         !backoff_timer_.is_armed() && is_on_owner_thread() && !scheduler_->is_shutting_down();
}

bool ResourcePool::wants_creation() const noexcept {
  const bool is_short = existing_ + creating_ < options_.min && !(flags_ & (kDraining | kBreaker));
  return (creating_ < waiting_ || is_short) && has_room();
}

void ResourcePool::replenish() noexcept {
  while (wants_creation()) {
    if (auto error = start_creation()) start_backoff(error);
  }
  update_backoff_liveness();
}

// The capacity is taken from now on (PO-09).
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
  const TimePoint begun = scheduler_->reactor().now();
  std::exception_ptr error;
  void* resource = make_resource(error);
  slot->task = {};
  if (!resource || !fill(*slot, resource, error)) return creation_failed(*slot, std::move(error));
  const TimePoint now = scheduler_->reactor().now();
  create_.record(now - begun);
  --creating_;
  ++existing_;
  ++created_;
  slot->state = SlotState::busy;
  slot->is_fresh = true;
  slot->since = slot->created = now;
  slot->expires = options_.max_lifetime ? deadline_after(now, apply_jitter(*options_.max_lifetime)) : TimePoint::max();
  slot->idle_limit = options_.idle_timeout ? apply_jitter(*options_.idle_timeout) : Duration::zero();
  if (std::exchange(last_error_, nullptr)) {
    backoff_ = fresh_backoff();
    backoff_timer_.cancel();
  }
  if (must_destroy(*slot)) return run_destroy(slot);
  make_available(*slot);
  replenish();
  notify_change();
}

void* ResourcePool::make_resource(std::exception_ptr& error) noexcept {
  OperationTimeout timeout(*scheduler_, options_.create_timeout);
  try {
    if (void* resource = options_.factory(user_.get())) return resource;
    error = std::make_exception_ptr(PoolError("the factory returned no resource" + named()));  // PO-08
  } catch (...) {
    error = timeout.has_passed()
                ? std::make_exception_ptr(TimeoutError("the factory took longer than its create_timeout" + named()))
                : replace_cancellation(std::current_exception());
  }
  return nullptr;
}

bool ResourcePool::fill(PoolSlot& slot, void* resource, std::exception_ptr& error) noexcept {
  try {
    if (slots_.fill(slot, resource)) return true;
    error = std::make_exception_ptr(PoolError("the factory returned a resource that the pool has already" + named()));
  } catch (...) {
    error = std::current_exception();
    try {
      if (options_.destructor) options_.destructor(resource, user_.get());
    } catch (...) {
      report(std::current_exception());
    }
  }
  return false;
}

void ResourcePool::creation_failed(PoolSlot& slot, std::exception_ptr error) noexcept {
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

// It never began.
void ResourcePool::on_creation_not_started(PoolSlot* slot) noexcept {
  --creating_;
  slot->task = {};
  slots_.free(*slot);
  fail_oldest_waiter(cancelled_error());
  notify_change();
}

Backoff ResourcePool::fresh_backoff() const noexcept {
  return Backoff(
      RetryOptions{.initial_delay = options_.backoff_initial, .max_delay = options_.backoff_max, .seed = random_ | 1});
}

// Several that fail together have one pause.
void ResourcePool::start_backoff(const std::exception_ptr& error) noexcept {
  ++failed_creations_;
  last_error_ = error;
  if (backoff_timer_.is_armed() || is_closed() || !is_on_owner_thread()) return;
  const auto visibility = waiting_ != 0 ? TimerQueue::Liveness::foreground : TimerQueue::Liveness::background;
  backoff_timer_.arm(deadline_after(scheduler_->reactor().now(), backoff_.next()), visibility);
}

// While somebody waits for its end it must be seen, or their wait would look like a deadlock.
void ResourcePool::update_backoff_liveness() noexcept {
  if (!backoff_timer_.is_armed()) return;
  const auto visibility = waiting_ != 0 ? TimerQueue::Liveness::foreground : TimerQueue::Liveness::background;
  if (backoff_timer_.visibility != visibility) backoff_timer_.arm(backoff_timer_.when(), visibility);
}

void ResourcePool::on_backoff_elapsed() noexcept {
  while (wants_creation()) {
    auto error = start_creation();
    if (!error) continue;
    start_backoff(error);
    fail_oldest_waiter(std::move(error));
  }
}

}  // namespace trueasync::detail
