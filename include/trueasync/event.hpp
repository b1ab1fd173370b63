// Event: the one base of everything that can be awaited (EVT-01) – timers, descriptors, coroutines, triggers, and what
// a host or an extension adds by deriving from it.
//
// Owns: nothing but its own state; subscriptions belong to the subscribers. Lifetime: reference-counted, dispose() at
// zero; subscribers unsubscribe before they die. Threads: all calls on the thread of its runtime.
// Errors: start() returns one, it does not throw; callbacks must not throw.
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

// What an event has to say when it fires. The meaning of `value` is the event's (a mask, a count).
struct Notification {
  std::uintptr_t value = 0;
  std::exception_ptr error;
};

// How many started events can still fire from outside. The deadlock detector decides by `visible` alone.
struct LivenessCounts {
  std::size_t foreground = 0;
  std::size_t background = 0;
};

// A place in an event's list. Owned by the subscriber; linked between subscribe and unsubscribe. A one-shot
// subscription is unlinked before its callback runs, a persistent one stays.
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

  // Safe during notification (EVT-02): whoever is subscribed when one begins is served once, newcomers wait.
  void subscribe(Subscription& subscription) noexcept;
  void unsubscribe(Subscription& subscription) noexcept;
  bool has_subscribers() const noexcept { return !subscribers_.empty(); }
  // For looking at them only, oldest first: visit(Subscription&).
  template <class F>
  void each_subscriber(F&& visit) const {
    for (Subscription* at = subscribers_.front(); at; at = subscribers_.next_of(*at)) visit(*at);
  }

  // Counted (EVT-03): active from the first start to the last stop. A start that fails is not counted. A stop
  // without a start does nothing (IO-11).
  std::exception_ptr start() noexcept;
  void stop() noexcept;
  bool is_active() const noexcept { return starts_ != 0; }

  // A closed event can't be started again (EVT-04). Whoever still waits is told with `reason`.
  void close(std::exception_ptr reason) noexcept;
  bool is_closed() const noexcept { return closed_; }

  // Hidden (EVT-05): it neither keeps the program alive nor hides a deadlock. Set before it is started.
  void set_background() noexcept;
  bool is_background() const noexcept { return hidden_; }

  // If the event has already happened for good: its result, for a late subscriber.
  virtual bool replay(Notification& result) const noexcept;
  // One line for a person: "timer in 50 ms", "coroutine #3 \"fetch\"".
  virtual std::string describe() const = 0;
  // The event (a coroutine) whose progress would fire this one, where that is known: the deadlock report follows it.
  virtual const Event* blocking_coroutine() const noexcept { return nullptr; }
  // A waiter that was promised something by this event leaves without it (CXL-05): hand it on. False: the promise
  // stands, the waiter must take it.
  virtual bool reclaim(Subscription& subscription) noexcept;
  // The error it ended with has been given to somebody: it is no longer one that nobody knows of (AW-03, AW-04).
  virtual void mark_error_observed() noexcept {}

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) dispose();
  }
  std::uint32_t references() const noexcept { return references_; }

 protected:
  // `liveness` is where an event that fires from outside counts itself; null for events fired by coroutines.
  explicit Event(LivenessCounts* liveness = nullptr) noexcept : liveness_(liveness) {}
  virtual ~Event();

  // The first start and the last stop.
  virtual std::exception_ptr on_start() noexcept { return nullptr; }
  virtual void on_stop() noexcept {}
  // A last look at what will be told, and the chance to change it.
  virtual void before_notify(Notification&) noexcept {}
  virtual void dispose() noexcept { delete this; }

  void notify(Notification notification) noexcept;
  // The reactor goes before the event: nobody counts any more, and a later stop must not touch what is gone.
  void detach_liveness() noexcept { liveness_ = nullptr; }

 private:
  void count_liveness(int by) noexcept;

  detail::IntrusiveList<Subscription> subscribers_;
  LivenessCounts* liveness_;
  std::uint32_t references_ = 1;
  std::uint32_t starts_ = 0;
  bool closed_ = false;
  bool hidden_ = false;
};

}  // namespace trueasync
