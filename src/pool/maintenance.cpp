// What a pool does at times of its own: health checks of idle resources (POOL-05), their lifetime and idle time, and
// leases that are held for too long. One hidden timer (PO-16) stands at the earliest of all that; when it is due a coroutine
// does the work, since hooks may suspend, and arms it again.
#include <algorithm>

#include "pool/operation_timeout.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync::detail {

void ResourcePool::on_maintenance_due() noexcept {
  try {
    upkeep_ =
        spawn_background("pool: upkeep", nullptr, &ResourcePool::run_maintenance, &ResourcePool::finish_maintenance);
  } catch (...) {
    finish_maintenance(nullptr);  // the next time, then
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
    report(std::current_exception());  // no memory
  }
  check_leaks(scheduler_->reactor().now());
  replenish();
  finish_maintenance(nullptr);
}

void ResourcePool::finish_maintenance(PoolSlot*) noexcept {
  upkeep_ = {};
  arm_maintenance_timer();
}

// The end of its lifetime is the end; that of its idle time only while there are more than min (XC-17).
TimePoint ResourcePool::due(const PoolSlot& slot) const noexcept {
  if (!options_.idle_timeout || existing_ <= options_.min) return slot.expires;
  return std::min(slot.expires, deadline_after(slot.since, slot.idle_limit));
}

void ResourcePool::destroy_expired(TimePoint now) {
  if (!(flags_ & kTimed)) return;
  // Taken out first: destructors may suspend, and others take and return meanwhile.
  std::vector<PoolSlot*> dead;
  dead.reserve(idle_.size());
  std::size_t over_min = existing_ > options_.min ? existing_ - options_.min : 0;
  for (std::size_t i = 0; i < idle_.size();) {
    PoolSlot* slot = idle_.peek(i);
    const bool is_stale = options_.idle_timeout && over_min > 0 && now - slot->since >= slot->idle_limit;
    if (slot->expires > now && !is_stale) {
      ++i;
      continue;
    }
    if (over_min > 0) --over_min;
    slot->state = SlotState::busy;
    dead.push_back(idle_.take(i));
  }
  for (PoolSlot* slot : dead) run_destroy(slot);
}

// One after the other, so that the pool is short of one at most. One that was lent meanwhile needs no check. Each is a
// coroutine of its own, which can be ended when it hangs.
void ResourcePool::check_health() {
  ++round_;
  for (std::size_t i = 0; i < idle_.size() && !is_closed();) {
    PoolSlot* slot = idle_.peek(i);
    if (slot->check_round == round_) {
      ++i;
      continue;
    }
    const Coroutine check =
        spawn_background("pool: healthcheck", slot, &ResourcePool::run_check, &ResourcePool::on_check_not_started);
    idle_.take(i);
    slot->state = SlotState::busy;
    slot->check_round = round_;
    slot->task = check;
    WaitEntry entry(check.event());
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    if (scheduler_->wait(request, SourceLocation::current()) != WakeReason::event) {
      scheduler_->cancel(*Access::block(check));
      return;
    }
    i = 0;  // others may have come and gone
  }
}

// It never began.
void ResourcePool::on_check_not_started(PoolSlot* slot) noexcept {
  slot->task = {};
  reuse_or_destroy(*slot);
}

void ResourcePool::run_check(PoolSlot* slot) noexcept {
  const bool is_good = is_healthy(*slot);
  slot->task = {};
  if (!is_good) {
    run_destroy(slot);
  } else if (must_destroy(*slot) || is_paused() || waiters_.empty()) {
    return_to_idle(*slot);
  } else {
    make_available(*slot);
  }
}

// Back to its place: a check is no use. What must go goes.
void ResourcePool::return_to_idle(PoolSlot& slot) noexcept {
  if (must_destroy(slot)) return run_destroy(&slot);
  slot.state = SlotState::idle;
  idle_.push_front(&slot);
  if (has_subscribers()) notify({});
  notify_change();
}

// A check that takes longer than the time between two has failed.
bool ResourcePool::is_healthy(PoolSlot& slot) noexcept {
  OperationTimeout timeout(*scheduler_, options_.healthcheck_interval);
  std::exception_ptr error;
  try {
    if (options_.healthcheck(slot.resource, user_.get())) return true;
    error = std::make_exception_ptr(PoolError("a health check found a dead resource" + named()));
  } catch (const OperationCancelled&) {
    error = std::current_exception();
  } catch (const Cancelled&) {
    if (!timeout.has_passed()) return false;  // the pool is closed, or the program ends
    error = std::make_exception_ptr(TimeoutError("a health check took longer than its interval" + named()));
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
    Scheduler::NoSuspend guard(*scheduler_, "on_leak of a pool");
    try {
      options_.on_leak(holder_of(slot, scheduler_->live_coroutines(), now));
    } catch (...) {
      report(std::current_exception());
    }
  });
}

void ResourcePool::arm_maintenance_timer() noexcept {
  if (is_closed() || upkeep_ || !is_on_owner_thread()) return;
  TimePoint when = options_.healthcheck ? check_due_ : TimePoint::max();
  if (flags_ & kTimed) {
    for (std::size_t i = 0; i < idle_.size(); ++i) when = std::min(when, due(*idle_.peek(i)));
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
  if (when == TimePoint::max()) return upkeep_timer_.cancel();
  upkeep_timer_.arm(when, TimerQueue::Liveness::background);
}

// So that what was made together does not go together.
std::chrono::nanoseconds ResourcePool::apply_jitter(std::chrono::nanoseconds duration) noexcept {
  const double part = next_random() * std::clamp(options_.jitter, 0.0, 1.0);
  return std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(duration.count()) * (1 - part)));
}

// splitmix64, as a part of one.
double ResourcePool::next_random() noexcept {
  std::uint64_t mixed = random_ += 0x9e3779b97f4a7c15ULL;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;
}

}  // namespace trueasync::detail
