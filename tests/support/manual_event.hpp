// ManualEvent: an event that a test fires. It counts the calls of the scheduler, so that a test can check that each
// start has one stop.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "trueasync/trueasync.hpp"

namespace trueasync::test {

class ManualEvent final : public Event {
 public:
  // Without liveness counts only a coroutine can fire the event: a wait for it can be a deadlock.
  static Ref<ManualEvent> make(std::string description = "manual event") {
    return Ref<ManualEvent>::adopt(new ManualEvent(std::move(description), nullptr));
  }
  static Ref<ManualEvent> make(LivenessCounts& liveness) {
    return Ref<ManualEvent>::adopt(new ManualEvent("manual event", &liveness));
  }

  void fire(std::uintptr_t value = 1, std::exception_ptr error = nullptr) { notify({value, std::move(error)}); }

  bool replay(Notification& result) const noexcept override {
    if (replay_action) replay_action();
    if (completed) result = {7, nullptr};
    return completed;
  }
  std::string describe() const override { return description_; }
  const Event* blocking_coroutine() const noexcept override { return holder; }
  bool reclaim(Subscription&) noexcept override {
    ++reclaims;
    return can_reclaim;
  }

  int starts = 0;
  int stops = 0;
  int reclaims = 0;
  bool completed = false;       // replay() returns the value 7
  bool can_reclaim = true;      // the result of reclaim()
  bool fires_on_start = false;  // fires inside start()
  const Event* holder = nullptr;
  std::exception_ptr start_error;
  // Called inside start(), replay() and the destructor.
  std::function<void()> start_action;
  std::function<void()> replay_action;
  std::function<void()> destroy_action;

 protected:
  std::exception_ptr on_start() noexcept override {
    if (start_action) start_action();
    if (start_error) return start_error;
    ++starts;
    if (fires_on_start) fire();
    return nullptr;
  }
  void on_stop() noexcept override { ++stops; }
  ~ManualEvent() override {
    if (destroy_action) destroy_action();
  }

 private:
  ManualEvent(std::string description, LivenessCounts* liveness) noexcept
      : Event(liveness), description_(std::move(description)) {}

  std::string description_;
};

inline void wait_for(Event& event, SourceLocation location = SourceLocation::current()) {
  Event* events[] = {&event};
  wait_any(events, std::nullopt, location);
}

}  // namespace trueasync::test
