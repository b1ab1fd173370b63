// The alarm that bounds a blocking turn of the libuv reactor.
#include <gtest/gtest.h>

#include "reactor/epoll/epoll_reactor.hpp"

namespace trueasync::detail {
namespace {

// IO-29 libuv runs due timers before it polls: an alarm of zero would be used up there, and the poll block for ever.
TEST(UvAlarm, ADeadlineThatHasPassedDoesNotBlock) {
  EpollReactor reactor;
  for (int i = 0; i < 100; ++i) reactor.run_once(false, Clock::now() - std::chrono::milliseconds(1));
  EXPECT_EQ(reactor.counters().polls_blocking, 100u);
}

TEST(UvAlarm, DeadlinesOfNoLengthEndEveryTurn) {
  EpollReactor reactor;
  for (int i = 0; i < 2000; ++i) reactor.run_once(false, Clock::now());
  EXPECT_EQ(reactor.counters().polls_blocking, 2000u);
}

}  // namespace
}  // namespace trueasync::detail
