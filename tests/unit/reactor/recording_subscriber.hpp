// A persistent subscriber that notes what an event says; it starts the event and stops it when it goes.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "reactor/reactor.hpp"

namespace trueasync::test {

class RecordingSubscriber : private Subscription {
 public:
  explicit RecordingSubscriber(Event& source, std::function<void()> action = {})
      : source_(&source), action_(std::move(action)) {
    persistent = true;
    callback = [](Subscription& self, const Notification& notification) noexcept {
      auto& told = static_cast<RecordingSubscriber&>(self);
      told.values.push_back(notification.value);
      told.error = notification.error;
      if (told.action_) told.action_();
    };
    source_->subscribe(*this);
    start_error = source_->start();
    started_ = !start_error;
  }
  ~RecordingSubscriber() { unsubscribe(); }

  void unsubscribe() {
    source_->unsubscribe(*this);
    if (std::exchange(started_, false)) source_->stop();
  }
  std::size_t times() const { return values.size(); }

  std::vector<std::uintptr_t> values;
  std::exception_ptr error;
  std::exception_ptr start_error;

 private:
  Ref<Event> source_;
  std::function<void()> action_;
  bool started_ = false;
};

// Turns the loop until `done`, but not for ever: a wedged reactor fails the test instead of hanging it.
template <class Done>
bool turn_until(detail::Reactor& reactor, Done&& done) {
  const TimePoint limit = Clock::now() + std::chrono::seconds(20);
  while (!done()) {
    if (Clock::now() > limit) return false;
    reactor.run_once(false, reactor.now() + std::chrono::milliseconds(100));
  }
  return true;
}

inline std::string text_of(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    return caught.what();
  }
  return "";
}

}  // namespace trueasync::test
