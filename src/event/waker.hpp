// Waker: ties a suspended coroutine to the events it waits for and stores the reason of the wake-up. It is part of the
// coroutine's control block.
//
// States: none → waiting → queued → result → none. A queued coroutine that must be finalized without running is
// `ignored`. Only a waker in state `waiting` can be woken, so a late or second wake has no effect, and exactly one of a
// racing wake and timeout wins.
//
// Thread safety: the scheduler's thread.
#pragma once

#include <cstdint>
#include <utility>

#include "trueasync/event.hpp"

namespace trueasync::detail {

enum class WakerState : std::uint8_t { none, waiting, queued, ignored, result };

// WakeTarget: the interface by which events make a coroutine ready. enqueue() puts the waker's coroutine into the ready
// queue.
class WakeTarget {
 public:
  virtual void enqueue(Waker& waker) noexcept = 0;

 protected:
  ~WakeTarget() = default;
};

class Waker {
 public:
  WakerState state() const noexcept { return state_; }
  void set_state(WakerState state) noexcept { state_ = state; }
  WakeReason reason() const noexcept { return reason_; }
  std::uint32_t epoch() const noexcept { return epoch_; }
  std::span<WaitEntry> entries() const noexcept { return {entries_, count_}; }

  // Starts a wait without events (a yield or a delay).
  void arm() noexcept {
    state_ = WakerState::waiting;
    reason_ = WakeReason::none;
    ++epoch_;
  }
  // Starts a wait for one entry that is linked into a queue managed by its event.
  void arm(WaitEntry& entry) noexcept {
    arm();
    entry.waker = this;
    entry.event->retain();
    entries_ = &entry;
    count_ = 1;
  }
  // Grants the entry, which its queue has removed. Returns true if the coroutine waits for nothing else: the caller
  // must enqueue it. Otherwise nothing is changed.
  bool grant(WaitEntry& entry) noexcept {
    if (state_ != WakerState::waiting || count_ != 1) return false;
    entry.fired = true;
    reason_ = WakeReason::event;
    state_ = WakerState::queued;
    return true;
  }
  // Like grant(), but also enqueues the coroutine. Returns false if the coroutine does not wait for this entry alone.
  bool grant_and_enqueue(WaitEntry& entry) noexcept {
    if (!grant(entry)) return false;
    target_->enqueue(*this);
    return true;
  }
  // Subscribes to all entries, then starts their events. An entry that is already linked is in a queue managed by its
  // event and is neither subscribed nor started. Returns false if the wait ends without suspending, because an event
  // had fired or could not be started: the reason is set and all entries are detached.
  bool arm(WaitRequest& request) noexcept;

  // Ends the wait and enqueues the coroutine. Every entry is unsubscribed and stopped exactly once. Returns false if
  // the waker was not waiting.
  bool wake(WakeReason reason, WakeTarget& target) noexcept;
  // Overrides the reason of a wake-up that has not been delivered yet, and returns its grants to the events. Returns
  // false if the grants cannot be returned: the wait has then succeeded.
  bool override_reason(WakeReason reason) noexcept;
  // The coroutine runs again: releases the events and resets the state.
  void disarm() noexcept {
    for (WaitEntry& entry : std::span(entries_, std::exchange(count_, 0))) entry.event->release();
    state_ = WakerState::none;
  }
  // The coroutine will not run again: ends its wait without enqueueing it.
  void abandon_wait() noexcept {
    end_wait();
    disarm();
  }
  void set_target(WakeTarget* target) noexcept { target_ = target; }
  // The waker of a subscription, or null if the subscription is not the wait of a coroutine.
  static Waker* from_subscription(const Subscription& subscription) noexcept {
    return subscription.callback == &on_notify ? static_cast<const WaitEntry&>(subscription).waker : nullptr;
  }

 private:
  static void on_notify(Subscription& subscription, const Notification& notification) noexcept;
  void end_wait() noexcept;
  enum class GrantsReturned : std::uint8_t { all, some, none };
  GrantsReturned return_grants() noexcept;
  void record(WaitEntry& entry, const Notification& notification) noexcept;

  WakerState state_ = WakerState::none;
  WakeReason reason_ = WakeReason::none;
  bool stop_at_error_ = false;
  std::uint32_t epoch_ = 0;
  WakeTarget* target_ = nullptr;
  WaitEntry* entries_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t remaining_ = 0;
};

}  // namespace trueasync::detail
