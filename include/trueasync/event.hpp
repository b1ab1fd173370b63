// Event: the base class of everything that can be awaited: timers, descriptors, coroutines, triggers, and classes
// derived by a host or an extension.
//
// Ownership: its own state; subscriptions belong to the subscribers.
// Lifetime: reference-counted; dispose() runs when the last reference is released. Subscribers must unsubscribe before
// they are destroyed.
// Thread safety: one runtime.
// Errors: start() returns an error instead of throwing; callbacks must not throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/detail/ref.hpp"
#include "trueasync/export.hpp"

namespace trueasync {

class Event;

// Notification: what an event reports when it fires. The event defines the meaning of `value` (a mask, a count).
struct Notification {
  std::uintptr_t value = 0;
  std::exception_ptr error;
};

// LivenessCounts: the number of started events that can fire from outside. Deadlock detection uses `foreground` only.
struct LivenessCounts {
  std::size_t foreground = 0;
  std::size_t background = 0;
};

// Subscription: an entry in the subscriber list of an event, linked between subscribe() and unsubscribe(). A one-shot
// subscription is unlinked before its callback runs; a persistent subscription stays linked.
// Ownership: the subscriber.
struct Subscription : detail::ListHook {
  using Callback = void (*)(Subscription& self, const Notification& notification) noexcept;

  Event* event = nullptr;
  Callback callback = nullptr;
  bool persistent = false;
};

class TRUEASYNC_EXPORT Event {
 public:
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // May be called during a notification: the current subscribers are notified once, new subscribers are not.
  void subscribe(Subscription& subscription) noexcept;
  void unsubscribe(Subscription& subscription) noexcept;
  bool has_subscribers() const noexcept { return !subscribers_.empty(); }
  // Visits the subscribers in FIFO order without changing the list: visit(Subscription&).
  template <class F>
  void for_each_subscriber(F&& visit) const {
    for (Subscription* subscription = subscribers_.front(); subscription;
         subscription = subscribers_.next_of(*subscription))
      visit(*subscription);
  }

  // Counted: the event is active from the first start() to the last stop(). A start() that fails is not counted; a
  // stop() without a start() has no effect.
  std::exception_ptr start() noexcept;
  void stop() noexcept;
  bool is_active() const noexcept { return starts_ != 0; }

  // Closes the event and notifies the subscribers with `reason`. A closed event cannot be started again.
  void close(std::exception_ptr reason) noexcept;
  bool is_closed() const noexcept { return closed_; }

  // Makes it a background event, which neither keeps the program alive nor counts for deadlock detection. Call before
  // start().
  void set_background() noexcept;
  bool is_background() const noexcept { return background_; }

  // If the event has happened permanently: returns true and its result, for a late subscriber.
  virtual bool replay(Notification& result) const noexcept;
  // One line for dumps: "timer in 50 ms", "coroutine #3 \"fetch\"".
  virtual std::string describe() const = 0;
  // The coroutine whose progress would fire this event, if known. The deadlock report follows it.
  virtual const Event* blocking_coroutine() const noexcept { return nullptr; }
  // Called when a waiter with a grant of this event is interrupted. Grants to the next waiter and returns true, or
  // returns false if the waiter must keep the grant.
  virtual bool reclaim(Subscription& subscription) noexcept;
  // Marks the error of the event as observed: it has reached an awaiter.
  virtual void mark_error_observed() noexcept {}

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) dispose();
  }
  std::uint32_t references() const noexcept { return references_; }

 protected:
  // `liveness` counts the event while it is started, if it fires from outside; null for events fired by coroutines.
  explicit Event(LivenessCounts* liveness = nullptr) noexcept : liveness_(liveness) {}
  virtual ~Event();

  // Called at the first start() and the last stop().
  virtual std::exception_ptr on_start() noexcept { return nullptr; }
  virtual void on_stop() noexcept {}
  // Called before the subscribers are notified; may change the notification.
  virtual void before_notify(Notification&) noexcept {}
  virtual void dispose() noexcept { delete this; }

  void notify(Notification notification) noexcept;
  // Called when the reactor is destroyed before the event: a later stop() must not touch the counts.
  void detach_liveness() noexcept { liveness_ = nullptr; }

 private:
  void count_liveness(int by) noexcept;

  detail::IntrusiveList<Subscription> subscribers_;
  LivenessCounts* liveness_;
  std::uint32_t references_ = 1;
  std::uint32_t starts_ = 0;
  bool closed_ = false;
  bool background_ = false;
};

}  // namespace trueasync
