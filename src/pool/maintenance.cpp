// Maintenance of a pool: health checks of idle resources, expiry by max_lifetime and idle_timeout, and detection of
// leaked leases. One background timer is armed for the earliest of these times. When it fires, a background coroutine
// does the work, because hooks may suspend, and arms the timer again.
#include <algorithm>

#include "pool/operation_timeout.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync::detail {

void ResourcePool::on_maintenance_due() noexcept {
  try {
    maintenance_ = spawn_background("pool: maintenance", nullptr, &ResourcePool::run_maintenance,
                                    &ResourcePool::finish_maintenance);
  } catch (...) {
    finish_maintenance(nullptr);  // no coroutine could be created: try again at the next due time
  }
}

void ResourcePool::run_maintenance(PoolSlot*) noexcept {
  const TimePoint now = scheduler_->reactor().now();
  try {
    destroy_expired(now);
    if (now >= check_due_) {
      check_due_ = deadline_after(now, *options_.healthcheck_interval);
      check_health();
    }
  } catch (...) {
    report(std::current_exception());  // std::bad_alloc
  }
  check_leaks(scheduler_->reactor().now());
  replenish();
  finish_maintenance(nullptr);
}

void ResourcePool::finish_maintenance(PoolSlot*) noexcept {
  maintenance_ = {};
  arm_maintenance_timer();
}

// max_lifetime always applies; idle_timeout applies only while there are more than min resources.
TimePoint ResourcePool::expiry_time(const PoolSlot& slot) const noexcept {
  if (!options_.idle_timeout || existing_ <= options_.min) return slot.expires;
  return std::min(slot.expires, deadline_after(slot.since, slot.idle_timeout));
}

void ResourcePool::destroy_expired(TimePoint now) {
  if (!(flags_ & kExpiring)) return;
  // Remove all expired resources first: destructors may suspend, and other coroutines then change the idle ring.
  std::vector<PoolSlot*> expired;
  expired.reserve(idle_.size());
  std::size_t over_min = existing_ > options_.min ? existing_ - options_.min : 0;
  for (std::size_t i = 0; i < idle_.size();) {
    PoolSlot* slot = idle_.peek(i);
    const bool is_idle_too_long = options_.idle_timeout && over_min > 0 && now - slot->since >= slot->idle_timeout;
    if (slot->expires > now && !is_idle_too_long) {
      ++i;
      continue;
    }
    if (over_min > 0) --over_min;
    slot->state = SlotState::busy;
    expired.push_back(idle_.take(i));
  }
  for (PoolSlot* slot : expired) run_destroy(slot);
}

// Checks one resource at a time, so that at most one is unavailable. A resource that was leased during the round needs
// no check. Each check runs in its own coroutine, which can be cancelled if it hangs.
void ResourcePool::check_health() {
  ++check_round_;
  for (std::size_t i = 0; i < idle_.size() && !is_closed();) {
    PoolSlot* slot = idle_.peek(i);
    if (slot->check_round == check_round_) {
      ++i;
      continue;
    }
    const Coroutine check =
        spawn_background("pool: healthcheck", slot, &ResourcePool::run_check, &ResourcePool::on_check_not_started);
    idle_.take(i);
    slot->state = SlotState::busy;
    slot->check_round = check_round_;
    slot->task = check;
    WaitEntry entry(check.event());
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    if (scheduler_->wait(request, SourceLocation::current()) != WakeReason::event) {
      scheduler_->cancel(*Access::block(check));
      return;
    }
    i = 0;  // the idle ring may have changed during the wait
  }
}

void ResourcePool::on_check_not_started(PoolSlot* slot) noexcept {
  slot->task = {};
  reuse_or_destroy(*slot);
}

void ResourcePool::run_check(PoolSlot* slot) noexcept {
  const bool is_usable = is_healthy(*slot);
  slot->task = {};
  if (!is_usable) {
    run_destroy(slot);
  } else if (must_destroy(*slot) || is_paused() || waiters_.empty()) {
    return_to_idle(*slot);
  } else {
    make_available(*slot);
  }
}

// Returns a checked resource to the front, so that the check does not count as a use.
void ResourcePool::return_to_idle(PoolSlot& slot) noexcept {
  if (must_destroy(slot)) return run_destroy(&slot);
  slot.state = SlotState::idle;
  idle_.push_front(&slot);
  if (has_subscribers()) notify({});
  notify_change();
}

// A check that exceeds healthcheck_interval fails.
bool ResourcePool::is_healthy(PoolSlot& slot) noexcept {
  OperationTimeout timeout(*scheduler_, options_.healthcheck_interval);
  std::exception_ptr error;
  try {
    if (options_.healthcheck(slot.resource, hook_context_.get())) return true;
    error = std::make_exception_ptr(PoolError(label() + ": a resource failed its health check"));
  } catch (const OperationCancelled&) {
    error = std::current_exception();
  } catch (const Cancelled&) {
    if (!timeout.has_expired())
      return false;  // the pool was closed or the runtime shuts down: not a failure of the service
    error = std::make_exception_ptr(TimeoutError(label() + ": a health check exceeded healthcheck_interval"));
  } catch (...) {
    error = std::current_exception();
  }
  ++failed_checks_;
  breaker_.report_failure(std::move(error));
  return false;
}

void ResourcePool::check_leaks(TimePoint now) noexcept {
  if (!options_.leak_threshold) return;
  slots_.for_each([&](PoolSlot& slot) {
    if (slot.state != SlotState::leased || slot.is_leak_reported || now - slot.since < *options_.leak_threshold) return;
    slot.is_leak_reported = true;
    ++leaks_;
    if (!options_.on_leak) return;
    Scheduler::NoSuspend guard(*scheduler_, "the on_leak hook of a pool");
    try {
      options_.on_leak(make_holder(slot, scheduler_->live_coroutines(), now));
    } catch (...) {
      report(std::current_exception());
    }
  });
}

void ResourcePool::arm_maintenance_timer() noexcept {
  if (is_closed() || maintenance_ || !is_on_owner_thread()) return;
  TimePoint when = options_.healthcheck ? check_due_ : TimePoint::max();
  if (flags_ & kExpiring) {
    for (std::size_t i = 0; i < idle_.size(); ++i) when = std::min(when, expiry_time(*idle_.peek(i)));
  }
  if (options_.leak_threshold) {
    const TimePoint now = scheduler_->reactor().now();
    when = std::min(when, deadline_after(now, *options_.leak_threshold));
    slots_.for_each([&](const PoolSlot& slot) {
      if (slot.state == SlotState::leased && !slot.is_leak_reported) {
        when = std::min(when, deadline_after(slot.since, *options_.leak_threshold));
      }
    });
  }
  if (when == TimePoint::max()) return maintenance_timer_.cancel();
  maintenance_timer_.arm(when, TimerQueue::Liveness::background);
}

// Shortens `duration` by a random part, so that resources created together do not expire together.
std::chrono::nanoseconds ResourcePool::apply_jitter(std::chrono::nanoseconds duration) noexcept {
  const double part = next_random() * std::clamp(options_.jitter, 0.0, 1.0);
  return std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(duration.count()) * (1 - part)));
}

// splitmix64, scaled to [0, 1).
double ResourcePool::next_random() noexcept {
  std::uint64_t mixed = random_ += 0x9e3779b97f4a7c15ULL;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;
}

}  // namespace trueasync::detail
