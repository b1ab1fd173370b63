// Work that a thread of the loop's pool does: short system calls that can't be waited for, such as those on files.
//
// Lifetime: once submitted the reactor holds it until run() has returned and its end was told, whoever has stopped
// waiting meanwhile (R2): everything run() uses lives in the derived object. Threads: run() on a thread of the pool,
// everything else on the reactor's. It counts as visible work from submit() to its end, waited for or not (IO-12).
#pragma once

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class WorkEvent : public Event {
 public:
  bool is_done() const noexcept { return done_; }
  bool replay(Notification& result) const noexcept override {
    result = {};
    return done_;
  }
  std::string describe() const override { return what_; }

  // On a thread of the pool. What it finds out stays in the derived object.
  virtual void run() noexcept = 0;
  // For the reactor, on its thread: it is over. `cancelled`: run() was never called.
  void finish(bool cancelled) noexcept {
    done_ = true;
    cancelled_ = cancelled;
    notify({});
  }
  bool was_cancelled() const noexcept { return cancelled_; }

 protected:
  explicit WorkEvent(const char* what) noexcept : what_(what) {}

 private:
  const char* what_;
  bool done_ = false;
  bool cancelled_ = false;
};

}  // namespace trueasync::detail
