// WakerTest: a waker with a counting target, and events to wait for. TearDown() checks that no event is still
// subscribed, started or referenced.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <utility>

#include "event/waker.hpp"
#include "probe_event.hpp"

namespace trueasync::test {

class CountingTarget final : public detail::WakeTarget {
 public:
  void enqueue(detail::Waker& waker) noexcept override {
    ++queued;
    last = &waker;
  }
  int queued = 0;
  detail::Waker* last = nullptr;
};

class WakerTest : public ::testing::Test {
 protected:
  using State = detail::WakerState;

  WakerTest() {
    for (auto& event : events_) event = make_probe(&liveness_);
    waker_.set_target(&target_);
  }

  void TearDown() override {
    for (auto& event : events_) {
      EXPECT_FALSE(event->has_subscribers());
      EXPECT_FALSE(event->is_active());
      EXPECT_EQ(event->on_starts, event->on_stops);
      EXPECT_EQ(event->references(), 1u);
    }
    EXPECT_EQ(liveness_.foreground, 0u);
    EXPECT_EQ(liveness_.background, 0u);
  }

  // Starts a wait for the first `count` events; the last one is a token if `last_is_token`. Returns false if the
  // wait ends without suspending.
  bool arm(std::size_t count, std::uint32_t needed = 1, bool last_is_token = false) {
    for (std::size_t i = 0; i < count; ++i) {
      entries_[i].event = events_[i].get();
      entries_[i].is_token = last_is_token && i + 1 == count;
    }
    request_.entries = std::span(entries_.data(), count);
    request_.needed = needed;
    return waker_.arm(request_);
  }

  // Does what the scheduler does when the coroutine resumes.
  WakeReason finish() {
    const WakeReason reason = waker_.reason();
    waker_.disarm();
    return reason;
  }

  // Unsubscribed, and stopped once.
  void expect_detached(std::initializer_list<std::size_t> indices) {
    for (std::size_t i : indices) {
      EXPECT_FALSE(events_[i]->has_subscribers()) << i;
      EXPECT_FALSE(events_[i]->is_active()) << i;
      EXPECT_EQ(events_[i]->on_stops, 1) << i;
    }
  }

  LivenessCounts liveness_;
  std::array<Ref<ProbeEvent>, 4> events_;
  std::array<WaitEntry, 4> entries_;
  WaitRequest request_;
  CountingTarget target_;
  detail::Waker waker_;
};

}  // namespace trueasync::test
