// Waker: ties one suspended coroutine to what it waits for and carries the result back. It lives inside the
// coroutine's control block.
//
// States (SUS-03): none → waiting → queued → result → none. A coroutine that has been queued but must be finalised
// without running is `ignored`. Only `waiting` can be woken, so a late or second wake does nothing (SUS-05), and of a
// wake and a timeout that race exactly one wins (XC-11).
#pragma once

#include <cstdint>
#include <utility>

#include "trueasync/wait.hpp"

namespace trueasync::detail {

enum class WakerState : std::uint8_t { none, waiting, queued, ignored, result };

// The one function through which an event reaches a coroutine: puts the waker's owner into the ready queue.
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

  // Begins a wait without events (a yield, a delay, a queue of somebody's own).
  void arm() noexcept {
    state_ = WakerState::waiting;
    reason_ = WakeReason::none;
    ++epoch_;
  }
  // Begins a wait for one entry that stands in a queue of its event's own.
  void arm(WaitEntry& entry) noexcept {
    arm();
    entry.waker = this;
    entry.event->retain();
    entries_ = &entry;
    count_ = 1;
  }
  // The queue has let this entry go and serves it. True: it was all that the owner waits for, which is to be queued now.
  // Otherwise nothing has happened.
  bool grant(WaitEntry& entry) noexcept {
    if (state_ != WakerState::waiting || count_ != 1) return false;
    entry.fired = true;
    reason_ = WakeReason::event;
    state_ = WakerState::queued;
    return true;
  }
  // The same, and queues the owner. False: nobody waits there any more.
  bool grant_and_enqueue(WaitEntry& entry) noexcept {
    if (!grant(entry)) return false;
    target_->enqueue(*this);
    return true;
  }
  // Subscribes to all entries, then starts them (SUS-01); one that is linked already stands in a queue of its event's
  // own, which wakes it itself. False when the wait is over already – an event had happened,
  // or could not be started: the reason is set and everything is undone.
  bool arm(WaitRequest& request) noexcept;

  // True if this call won. Ends the wait – every entry unsubscribed and stopped exactly once (CA-04, CA-05) – and
  // queues the owner.
  bool wake(WakeReason reason, WakeTarget& target) noexcept;
  // A cancellation overtakes a wake that has not been delivered yet: whatever was promised is handed on (CXL-05).
  // False if the promise can't be taken back; then the result stands.
  bool override_reason(WakeReason reason) noexcept;
  // The owner runs again: lets the events go, back to none.
  void disarm() noexcept {
    for (WaitEntry& entry : std::span(entries_, std::exchange(count_, 0))) entry.event->release();
    state_ = WakerState::none;
  }
  // The owner will never run again: its wait is undone without a wake.
  void abandon_wait() noexcept {
    end_wait();
    disarm();
  }
  void set_target(WakeTarget* target) noexcept { target_ = target; }
  // The waker behind a subscription; null if it is not the wait of a coroutine.
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
