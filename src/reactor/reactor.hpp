// Reactor: the interface between the scheduler and the kernel. There are two implementations: epoll with libuv, and a
// simulation with virtual time.
//
// The scheduler calls run_once(), and events fire inside it. A notified waker only enqueues its coroutine: a reactor
// never runs a coroutine. The callbacks of other subscribers and the hooks of user-defined events run inside the
// reactor; the scheduler holds a NoSuspend around run_once(), so they cannot suspend.
//
// Lifetime: events may outlive the reactor and do not keep it alive.
// Thread safety: one thread, except wake_up().
#pragma once

#include <string>
#include <vector>

#include "reactor/timer_queue.hpp"
#include "trueasync/event.hpp"

namespace trueasync::detail {

// The interest of a poll event; the notification's value holds the ready bits. Errors and hang-ups are reported as
// readable and writable with kPollError set, because they must end every wait.
enum PollBits : unsigned { kPollReadable = 1, kPollWritable = 2, kPollError = 4 };

// TriggerEvent: wakes its waiters from any thread or signal handler. All fire() calls before the next loop iteration
// are one notification. A fire without a waiter stays pending for the next waiter.
class TriggerEvent : public Event {
 public:
  // Thread-safe and async-signal-safe, also during and after the close of the reactor.
  virtual void fire() noexcept = 0;

 protected:
  using Event::Event;
};

struct ReactorCounters {
  std::uint64_t polls_without_wait = 0;
  std::uint64_t polls_blocking = 0;
};

// ReactorObserver: notified on the reactor's thread when the reactor closes, before any handle is closed. The observer
// has been removed from the list before the call.
class ReactorObserver : public ListHook {
 public:
  virtual void on_reactor_closed() noexcept = 0;

 protected:
  ~ReactorObserver() = default;
};

class DescriptorRegistration;  // reactor/descriptor_registration.hpp
enum class PollMode : std::uint8_t;
class WorkEvent;    // reactor/work_event.hpp
class LookupEvent;  // reactor/lookup_event.hpp
struct LookupQuery;
class ProcessEvent;  // reactor/process_event.hpp
class FsWatchEvent;  // reactor/fs_watch_event.hpp

class Reactor {
 public:
  Reactor() = default;
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;
  virtual ~Reactor() { notify_closed(); }

  // Reads the clock, never cached: CPU work before a timer is armed must not make it fire early.
  virtual TimePoint now() noexcept = 0;

  // One loop iteration: polls, then fires due timers. Without `no_wait` it blocks until an event is ready, a timer is
  // due or `bound` is reached.
  void run_once(bool no_wait, TimePoint bound = TimePoint::max()) noexcept;

  // Thread-safe: makes a blocked run_once() return.
  virtual void wake_up() noexcept = 0;

  virtual Ref<Event> new_poll(int fd, unsigned bits) = 0;
  virtual Ref<TriggerEvent> new_trigger() = 0;
  virtual Ref<Event> new_signal(int number) = 0;

  // Events that the simulation does not support: the default implementations throw Error. Files and names use worker
  // threads.
  virtual Ref<DescriptorRegistration> new_registration(int fd, PollMode mode);
  virtual Ref<LookupEvent> new_lookup(LookupQuery query);
  virtual Ref<ProcessEvent> new_process(int pid);
  virtual Ref<FsWatchEvent> new_fs_watch(std::string path);
  // Runs the work on a worker thread; its event fires on completion. Throws Error if the work was not submitted.
  virtual void submit(WorkEvent& work);

  // For a host with its own event loop: a descriptor that is readable when run_once() has work; -1 if there is none.
  virtual int backend_fd() const noexcept { return -1; }
  // Call in the child of a fork: sets up a separate loop.
  virtual void after_fork() noexcept {}
  // Closes all handles and returns descriptions of those still open. The reactor must not be used afterwards.
  virtual std::vector<std::string> close() noexcept = 0;

  TimerQueue& timers() noexcept { return timers_; }
  const TimerQueue& timers() const noexcept { return timers_; }
  // Every timer event of this reactor, started or not, and all other objects to notify on close.
  IntrusiveList<ReactorObserver>& observers() noexcept { return observers_; }
  LivenessCounts& liveness() noexcept { return liveness_; }
  const LivenessCounts& liveness() const noexcept { return liveness_; }
  const ReactorCounters& counters() const noexcept { return counters_; }

  // Whether a foreground event or timer can still wake a coroutine. Computed on each call, never cached.
  bool has_foreground_work() const noexcept { return liveness_.foreground + timers_.foreground_count() != 0; }

 protected:
  // Fires ready events; blocks at most until `until` (TimePoint::min(): does not block).
  virtual void poll(TimePoint until) noexcept = 0;
  // Part of close(): notifies the remaining observers.
  void notify_closed() noexcept;

 private:
  TimerQueue timers_;
  IntrusiveList<ReactorObserver> observers_;
  LivenessCounts liveness_;
  ReactorCounters counters_;
};

// ReactorObserverLink: notifies its owner when the reactor closes, for an owner that is a ListHook of another list.
//
// Lifetime: a member of its owner.
// Thread safety: the reactor's thread.
template <class Owner>
class ReactorObserverLink final : public ReactorObserver {
 public:
  ReactorObserverLink(Reactor& reactor, Owner& owner) noexcept : owner_(owner) { reactor.observers().push_back(*this); }
  ReactorObserverLink(const ReactorObserverLink&) = delete;
  ReactorObserverLink& operator=(const ReactorObserverLink&) = delete;
  ~ReactorObserverLink() {
    if (is_linked()) unlink();
  }

  void on_reactor_closed() noexcept override { owner_.on_reactor_closed(); }

 private:
  Owner& owner_;
};

}  // namespace trueasync::detail
