// Event: the base class of everything that can be awaited: timers, descriptors, coroutines, triggers, and classes
// derived by a host or an extension.
//
// Ownership: its own state; subscriptions belong to the subscribers.
// Lifetime: reference-counted; dispose() runs when the last reference is released. Subscribers must unsubscribe before
// they are destroyed.
// Thread safety: one runtime.
// Errors: start() returns an error instead of throwing; callbacks must not throw.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>

#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/detail/ref.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

class Event;

// Notification: what an event reports when it fires. The event defines the meaning of `value` (a mask, a count).
struct Notification {
  std::uintptr_t value = 0;
  std::exception_ptr error;
};

// LivenessCounts: the number of started events that the kernel, a timer or another thread can fire. Deadlock detection
// uses `foreground` only.
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

  // If the event has completed permanently: returns true and its result, for a late subscriber.
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
  // `liveness` counts the event while it is started; null for events that only coroutines fire.
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

// The low-level wait for several events. All events are subscribed and started together; the first that fires
// wakes the coroutine, after which the other events are stopped and unsubscribed.
//
// Ownership: none; entries are on the stack of the waiting coroutine, so a wait does not allocate.
// Thread safety: one runtime.
// Errors: wait() throws only MisuseError and returns a WakeReason; wait_any() and wait_all() throw.

// WakeReason: why a wait ended.
enum class WakeReason : std::uint8_t {
  none,       // a yield
  event,      // the needed number of events has fired
  error,      // an event could not start, or the runtime reports an error: see WaitRequest::error
  timed_out,  // the deadline passed
  token,      // the cancellation token fired
  cancelled,  // this coroutine was cancelled
};

namespace detail {
class Waker;
// Converts the timeout of `options` to a deadline from now, so that several waits share one deadline. MisuseError for a
// timeout outside a runtime.
TRUEASYNC_EXPORT WaitOptions with_fixed_deadline(WaitOptions options);
}  // namespace detail

// WaitEntry: one event of a wait. After the wait, `fired` and `result` describe it.
struct WaitEntry : Subscription {
  WaitEntry() = default;
  explicit WaitEntry(Event& what, bool is_token_entry = false) noexcept : is_token(is_token_entry) { event = &what; }

  detail::Waker* waker = nullptr;
  Notification result;
  void* owner = nullptr;  // data of the waiter for the queue that holds the entry
  bool is_token = false;
  bool started = false;
  bool in_queue = false;  // linked in the event's own queue instead of subscribed
  bool fired = false;
};

// WaitRequest: what to wait for.
struct WaitRequest {
  std::span<WaitEntry> entries;
  std::uint32_t needed = 1;    // number of events that must fire; tokens do not count
  bool stop_at_error = false;  // an event that fires with an error ends the wait
  std::optional<TimePoint> deadline;
  std::exception_ptr error;  // output with WakeReason::error
};

// Suspends the current coroutine until `needed` events have fired, an event failed to start, the deadline passed, a
// token fired or the coroutine was cancelled. An event that has already happened counts immediately, without a switch.
// Without events and deadline it is a yield.
TRUEASYNC_EXPORT WakeReason wait(WaitRequest& request, SourceLocation location = SourceLocation::current());

// Waits for the first of `events` and returns its index. Throws the event's error, TimeoutError,
// OperationCancelled, Cancelled.
TRUEASYNC_EXPORT std::size_t wait_any(std::span<Event* const> events, WaitOptions options = {},
                                      SourceLocation location = SourceLocation::current());
// Waits for all events; the first error ends the wait and is thrown.
TRUEASYNC_EXPORT void wait_all(std::span<Event* const> events, WaitOptions options = {},
                               SourceLocation location = SourceLocation::current());

// Trigger: wakes coroutines from any thread or signal handler. Fires coalesce; a fire without a waiter is kept for the
// next wait. Not copyable, not movable.
//
// Ownership: its event-loop handle.
// Lifetime: created inside a runtime, which may end first: then fire() has no effect, and wait() consumes an earlier
// fire or throws MisuseError. No fire() may start after destruction has started; the destructor waits for a fire() in
// flight, so a trigger may be destroyed as soon as its last fire was received.
// Thread safety: fire() on any thread, in signal handlers, and while the runtime ends. All other functions, the
// destructor included while the runtime exists, on the runtime's thread.
class TRUEASYNC_EXPORT Trigger {
 public:
  Trigger();
  Trigger(const Trigger&) = delete;
  Trigger& operator=(const Trigger&) = delete;
  ~Trigger();
  void fire() noexcept;
  // Suspends until the trigger is fired. Throws Cancelled, TimeoutError if the time of `options` expires,
  // OperationCancelled if its token fires.
  void wait(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  Event& event() const noexcept { return *event_; }

 private:
  Ref<Event> event_;
};

// Waiting for the readiness of a descriptor.
//
// A descriptor must not be closed while a coroutine polls it: the kernel removes it silently, and its number may be
// reused. Io::close() may be called at any time; it wakes the coroutines that poll its descriptor.
//
// Thread safety: one runtime.

// Readiness: what a descriptor is ready for.
enum class Readiness : std::uint8_t { readable = 1, writable = 2, either = 3 };

// Suspends until the descriptor is ready and returns its readiness. Errors and hang-ups count as ready; the next call
// on the descriptor returns the error. Throws TimeoutError if the time of `options` expires, OperationCancelled if its
// token fires, Cancelled, and Error for a descriptor that cannot be polled.
TRUEASYNC_EXPORT Readiness poll(int descriptor, Readiness interest, WaitOptions options = {},
                                SourceLocation location = SourceLocation::current());

// The same as an event, for waiting on several events.
TRUEASYNC_EXPORT Ref<Event> poll_event(int descriptor, Readiness interest);

}  // namespace trueasync
