// EpollReactorTest: a fixture with the native reactor. After each test the reactor must hold no events.
#pragma once

#include <gtest/gtest.h>

#include "reactor/epoll/epoll_reactor.hpp"
#include "recording_subscriber.hpp"
#include "support/descriptor.hpp"

namespace trueasync::test {

using namespace std::chrono_literals;
using detail::kPollError;
using detail::kPollReadable;
using detail::kPollWritable;
using Values = std::vector<std::uintptr_t>;

class EpollReactorTest : public ::testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(reactor_.liveness().foreground + reactor_.liveness().background, 0u);
    EXPECT_EQ(reactor_.timers().size(), 0u);
    EXPECT_TRUE(reactor_.polls().empty());
    EXPECT_TRUE(reactor_.signals().empty());
    EXPECT_EQ(reactor_.close(), std::vector<std::string>{});
  }

  // Runs enough non-blocking loop iterations to dispatch every event that is ready now.
  void run_ready_events() {
    for (int i = 0; i < 3; ++i) reactor_.run_once(true);
  }

  detail::EpollReactor reactor_;
};

}  // namespace trueasync::test
