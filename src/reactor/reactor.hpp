// Reactor: all the scheduler knows of the outside world (REA-06). Two implementations: libuv, and a simulated one with
// virtual time.
//
// Data flows one way: the scheduler calls execute(); inside it events fire, and firing only queues coroutines –
// a reactor never runs user code.
// Lifetime: events keep no reactor alive and may outlive it; close() comes last. Threads: one, except wake_up().
#pragma once

#include <string>
#include <vector>

#include "reactor/timer_queue.hpp"
#include "trueasync/event.hpp"

namespace trueasync::detail {

// What a poll event watches for; the notification's value holds the bits that came true. Errors and hang-ups are
// reported as readable and writable both, with kPollError set: every waiter must learn of them (IO-08).
enum PollBits : unsigned { kPollReadable = 1, kPollWritable = 2, kPollError = 4 };

// Wakes its waiters from any thread or signal handler. Fires coalesce: many fire() before the loop turns are one
// notification, whose value counts nothing. What is fired while nobody waits is kept for the next waiter.
class TriggerEvent : public Event {
 public:
  // Thread-safe and async-signal-safe, also while the reactor closes and afterwards.
  virtual void fire() noexcept = 0;

 protected:
  using Event::Event;
};

struct ReactorCounters {
  std::uint64_t polls_without_wait = 0;
  std::uint64_t polls_blocking = 0;
};

// What must not outlive a reactor unawares: told on the reactor's thread when it goes, before anything is closed. It has
// been taken out of the list by then.
class ReactorObserver : public ListHook {
 public:
  virtual void on_reactor_closed() noexcept = 0;

 protected:
  ~ReactorObserver() = default;
};

class DescriptorRegistration;  // reactor/descriptor_watch.hpp
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

  // Fresh, never cached: CPU work before arming a timer must not make it fire early (REA-05).
  virtual TimePoint now() noexcept = 0;

  // One turn of the loop (REA-01): collects what is ready, then fires due deadlines. Without `no_wait` it blocks until
  // something is ready, a deadline is due or `bound` is reached.
  void run_once(bool no_wait, TimePoint bound = TimePoint::max()) noexcept;

  // Thread-safe: makes a blocked execute() return.
  virtual void wake_up() noexcept = 0;

  virtual Ref<Event> new_poll(int fd, unsigned bits) = 0;
  virtual Ref<TriggerEvent> new_trigger() = 0;
  virtual Ref<Event> new_signal(int number) = 0;

  // Kinds that need a real loop. By default they throw Error, which says so. Files and names are looked at by threads.
  virtual Ref<DescriptorRegistration> new_registration(int fd, PollMode mode);
  virtual Ref<LookupEvent> new_lookup(LookupQuery query);
  virtual Ref<ProcessEvent> new_process(int pid);
  virtual Ref<FsWatchEvent> new_fs_watch(std::string path);
  // Runs the work on a thread; its event fires when it is over. Throws Error; then nothing has begun.
  virtual void submit(WorkEvent& work);

  // For a host that sits in another loop: readable when execute() has something to do; -1 where there is none.
  virtual int backend_fd() const noexcept { return -1; }
  // In the child of a fork: a loop of its own (SH-11).
  virtual void after_fork() noexcept {}
  // Closes what is left and names it (SH-01). Nothing may be used afterwards.
  virtual std::vector<std::string> close() noexcept = 0;

  TimerQueue& timers() noexcept { return deadlines_; }
  const TimerQueue& timers() const noexcept { return deadlines_; }
  // Every timer of this reactor, started or not, and whoever else must be told when it goes.
  IntrusiveList<ReactorObserver>& observers() noexcept { return guests_; }
  LivenessCounts& liveness() noexcept { return liveness_; }
  const LivenessCounts& liveness() const noexcept { return liveness_; }
  const ReactorCounters& counters() const noexcept { return counters_; }

  // Whether anything from outside can still wake a coroutine. Asked at decision time, never cached (IO-13).
  bool has_foreground_work() const noexcept { return liveness_.foreground + deadlines_.foreground_count() != 0; }

 protected:
  // Collects what is ready; blocks until `until` at most (TimePoint::min(): not at all).
  virtual void poll(TimePoint until) noexcept = 0;
  // Part of close(): guests that are still there learn of it and become harmless.
  void notify_closed() noexcept;

 private:
  TimerQueue deadlines_;
  IntrusiveList<ReactorObserver> guests_;
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
