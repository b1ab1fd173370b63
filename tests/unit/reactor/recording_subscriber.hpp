// RecordingSubscriber: a persistent subscriber that records the notifications of an event. Its constructor starts the
// event, its destructor stops it.
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
      auto& recorder = static_cast<RecordingSubscriber&>(self);
      recorder.values.push_back(notification.value);
      recorder.error = notification.error;
      if (recorder.action_) recorder.action_();
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

// Runs loop iterations until `done` returns true. Returns false after 20 seconds, so that a reactor that stopped making
// progress fails the test instead of blocking it.
template <class Done>
bool run_until(detail::Reactor& reactor, Done&& done) {
  const TimePoint deadline = Clock::now() + std::chrono::seconds(20);
  while (!done()) {
    if (Clock::now() > deadline) return false;
    reactor.run_once(false, reactor.now() + std::chrono::milliseconds(100));
  }
  return true;
}

// The message of `error`; empty if there is no error.
inline std::string error_text(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    return caught.what();
  }
  return "";
}

}  // namespace trueasync::test
