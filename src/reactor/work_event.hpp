// Work that a thread of the loop's pool does: short system calls that can't be waited for, such as those on files.
//
// Lifetime: once submitted the reactor holds it until run() has returned and its end was told, whoever has stopped
// waiting meanwhile (R2): everything run() uses lives in the derived object. It may be submitted again afterwards.
// Threads: run() on a thread of the pool, everything else on the reactor's. It counts as visible work from submit() to
// its end, waited for or not (IO-12).
#pragma once

#include "base/check.hpp"
#include "reactor/reactor.hpp"

namespace trueasync::detail {

class WorkEvent;

// The reactor's side of one work that is under way.
class WorkRunner {
 public:
  // Nobody waits any more: if the work allows it and no thread has begun with it, it ends as cancelled, at the next turn
  // of the loop.
  virtual void cancel_if_queued() noexcept = 0;

 protected:
  ~WorkRunner() = default;
};

class WorkEvent : public Event {
 public:
  bool is_done() const noexcept { return done_; }
  bool is_in_flight() const noexcept { return runner_ != nullptr; }
  // run() was never called: it was taken back in time.
  bool was_cancelled() const noexcept { return cancelled_; }
  bool replay(Notification& result) const noexcept override {
    result = {};
    return done_;
  }
  std::string describe() const override { return what_; }

  // Whether it may be taken back before a thread has begun with it: when its last waiter leaves, or the reactor goes.
  // What may not always runs, waited for or not.
  virtual bool is_cancellable() const noexcept { return false; }
  // On a thread of the pool. What it finds out stays in the derived object.
  virtual void run() noexcept = 0;

  // For reactors, on their thread.
  void begin(WorkRunner& runner) noexcept {
    TRUEASYNC_CHECK(!runner_, "work was submitted while it was under way");
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
  // The reactor goes while a thread still runs it: the reference stays, for nobody knows when it ends (DN-02).
  void abandon() noexcept { runner_ = nullptr; }

 protected:
  explicit WorkEvent(const char* what) noexcept : what_(what) {}

  // It is over, before anybody is told; on the reactor's thread.
  virtual void on_finish() noexcept {}
  void on_stop() noexcept override {
    if (runner_) runner_->cancel_if_queued();
  }

 private:
  const char* what_;
  WorkRunner* runner_ = nullptr;
  bool done_ = false;
  bool cancelled_ = false;
};

}  // namespace trueasync::detail
