// WorkEvent: work on a thread of the loop's pool: short system calls that cannot be polled, such as those on files. It
// counts as foreground work from submit() to its completion, awaited or not.
//
// Lifetime: after submit() the reactor holds a reference until run() has returned and the event has fired, even if no
// coroutine waits any more. So all data that run() uses must be in the derived object. It may then be submitted again.
// Thread safety: run() on a worker thread, everything else on the reactor's thread.
#pragma once

#include "base/check.hpp"
#include "reactor/reactor.hpp"

namespace trueasync::detail {

class WorkEvent;

// WorkRunner: the reactor's side of work in flight.
class WorkRunner {
 public:
  // The last waiter has left: if the work is cancellable and no thread has started it, it completes as cancelled in the
  // next loop iteration.
  virtual void cancel_if_queued() noexcept = 0;

 protected:
  ~WorkRunner() = default;
};

class WorkEvent : public Event {
 public:
  bool is_done() const noexcept { return done_; }
  bool is_in_flight() const noexcept { return runner_ != nullptr; }
  // The work was cancelled before a thread started run().
  bool was_cancelled() const noexcept { return cancelled_; }
  bool replay(Notification& result) const noexcept override {
    result = {};
    return done_;
  }
  std::string describe() const override { return description_; }

  // Whether queued work may be cancelled when its last waiter leaves or the reactor closes. Otherwise it always runs.
  virtual bool is_cancellable() const noexcept { return false; }
  // Runs on a worker thread. Stores its result in the derived object.
  virtual void run() noexcept = 0;

  // Called by the reactor on its thread.
  void begin(WorkRunner& runner) noexcept {
    TRUEASYNC_CHECK(!runner_, "work submitted while in flight");
    runner_ = &runner;
    done_ = cancelled_ = false;
    retain();
  }
  void finish(bool cancelled) noexcept {
    runner_ = nullptr;
    done_ = true;
    cancelled_ = cancelled;
    on_finish();
    notify({});
    release();
  }
  // The reactor closes while a thread still runs the work: the reference is leaked, because the end is unknown.
  void abandon() noexcept { runner_ = nullptr; }

 protected:
  explicit WorkEvent(const char* description) noexcept : description_(description) {}

  // Called on the reactor's thread after completion, before the event fires.
  virtual void on_finish() noexcept {}
  void on_stop() noexcept override {
    if (runner_) runner_->cancel_if_queued();
  }

 private:
  const char* description_;
  WorkRunner* runner_ = nullptr;
  bool done_ = false;
  bool cancelled_ = false;
};

}  // namespace trueasync::detail
