#include "event/waker.hpp"

#include <utility>

namespace trueasync::detail {

namespace {

void detach_entry(WaitEntry& entry) noexcept {
  entry.event->unsubscribe(entry);
  if (entry.started) {
    entry.started = false;
    entry.event->stop();
  }
}

}  // namespace

void Waker::end_wait() noexcept {
  for (WaitEntry& entry : entries()) detach_entry(entry);
}

void Waker::record(WaitEntry& entry, const Notification& notification) noexcept {
  entry.fired = true;
  entry.result = notification;
  if (entry.is_token) {
    reason_ = WakeReason::token;
    remaining_ = 0;
  } else if (remaining_ > 0 && (--remaining_ == 0 || (stop_at_error_ && notification.error))) {
    reason_ = WakeReason::event;
    remaining_ = 0;
  }
}

bool Waker::arm(WaitRequest& request) noexcept {
  arm();
  state_ = WakerState::none;  // an event that fires during this function is recorded, but must not enqueue
  entries_ = request.entries.data();
  count_ = static_cast<std::uint32_t>(request.entries.size());
  remaining_ = request.needed;
  stop_at_error_ = request.stop_at_error;
  for (WaitEntry& entry : entries()) {
    entry.waker = this;
    entry.fired = false;  // entries may be reused for another wait
    entry.callback = &Waker::on_notify;
    entry.event->retain();  // until disarm(): the wait may hold the last reference
    entry.in_queue = entry.is_linked();
    if (!entry.in_queue) entry.event->subscribe(entry);
  }
  for (WaitEntry& entry : entries()) {
    if (entry.fired || entry.in_queue) continue;  // fired while an earlier entry was started
    Notification result;
    if (entry.event->replay(result)) {
      entry.event->unsubscribe(entry);
      record(entry, result);
    } else if (auto error = entry.event->start()) {
      request.error = std::move(error);
      reason_ = WakeReason::error;
      remaining_ = 0;
    } else {
      entry.started = true;
    }
    if (remaining_ == 0) break;
  }
  if (remaining_ != 0) {
    state_ = WakerState::waiting;
    return true;
  }
  end_wait();
  if (reason_ != WakeReason::event) return_grants();
  state_ = WakerState::result;
  return false;
}

void Waker::on_notify(Subscription& subscription, const Notification& notification) noexcept {
  auto& entry = static_cast<WaitEntry&>(subscription);
  Waker& waker = *entry.waker;
  waker.record(entry, notification);
  detach_entry(entry);
  if (waker.remaining_ == 0) waker.wake(waker.reason_, *waker.target_);
}

bool Waker::wake(WakeReason reason, WakeTarget& target) noexcept {
  if (state_ != WakerState::waiting) return false;
  state_ = WakerState::queued;
  reason_ = reason;
  end_wait();
  if (reason != WakeReason::event) return_grants();
  target.enqueue(*this);
  return true;
}

// The coroutine will not use the grants of fired entries: returns them to their events for other waiters. A grant that
// its event does not take back stays marked as fired.
Waker::GrantsReturned Waker::return_grants() noexcept {
  GrantsReturned result = GrantsReturned::all;
  bool any = false;
  for (WaitEntry& entry : entries()) {
    if (!entry.fired || entry.is_token) continue;
    if (entry.event->reclaim(entry)) {
      entry.fired = false;
      entry.result = {};
      any = true;
    } else {
      result = GrantsReturned::none;
    }
  }
  return any && result == GrantsReturned::none ? GrantsReturned::some : result;
}

bool Waker::override_reason(WakeReason reason) noexcept {
  if (state_ != WakerState::queued) return false;
  // If no grant can be returned, the wait has succeeded. If some can, it has not: partial grants are no result.
  if (reason_ == WakeReason::event && return_grants() == GrantsReturned::none) return false;
  reason_ = reason;
  return true;
}

}  // namespace trueasync::detail
