// ProbeEvent: an event that a test fires and that counts calls. ProbeSubscriber: a subscriber that records
// notifications.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trueasync/event.hpp"

namespace trueasync::test {

class ProbeEvent final : public Event {
 public:
  explicit ProbeEvent(LivenessCounts* liveness = nullptr) : Event(liveness) {}

  void fire(std::uintptr_t value = 1, std::exception_ptr error = nullptr) { notify({value, std::move(error)}); }
  // Completes the event: it fires, and replays its value to late subscribers.
  void complete(std::uintptr_t value) {
    completed_ = true;
    value_ = value;
    fire(value);
  }

  bool replay(Notification& result) const noexcept override {
    if (completed_) result = {value_, nullptr};
    return completed_;
  }
  std::string describe() const override { return "probe"; }
  bool reclaim(Subscription&) noexcept override {
    ++reclaims;
    return reclaimable;
  }

  int on_starts = 0;
  int on_stops = 0;
  int reclaims = 0;
  bool reclaimable = true;
  bool* disposed = nullptr;
  std::exception_ptr start_error;
  std::function<void()> during_start;
  std::function<void(Notification&)> before;

 protected:
  ~ProbeEvent() override {
    if (disposed) *disposed = true;
  }
  std::exception_ptr on_start() noexcept override {
    if (start_error) return start_error;
    ++on_starts;
    if (during_start) during_start();
    return nullptr;
  }
  void on_stop() noexcept override { ++on_stops; }
  void before_notify(Notification& notification) noexcept override {
    if (before) before(notification);
  }

 private:
  bool completed_ = false;
  std::uintptr_t value_ = 0;
};

inline Ref<ProbeEvent> make_probe(LivenessCounts* liveness = nullptr) {
  return Ref<ProbeEvent>::adopt(new ProbeEvent(liveness));
}

struct ProbeSubscriber : Subscription {
  explicit ProbeSubscriber(bool is_persistent = false) {
    persistent = is_persistent;
    callback = [](Subscription& self, const Notification& notification) noexcept {
      auto& probe = static_cast<ProbeSubscriber&>(self);
      probe.values.push_back(notification.value);
      if (probe.action) probe.action();
    };
  }

  std::vector<std::uintptr_t> values;
  std::function<void()> action;
};

using Values = std::vector<std::uintptr_t>;

}  // namespace trueasync::test
