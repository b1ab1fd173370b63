// Extreme durations: a duration that overflows the clock never ends; zero or a negative duration ends immediately.
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
constexpr auto kForever = std::chrono::nanoseconds::max();

class ExtremeDuration : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ExtremeDuration);

TEST_P(ExtremeDuration, MaxDelayEndsOnlyByCancellation) {
  run([] {
    bool finished = false;
    auto sleeper = spawn([&] {
      delay(kForever);
      finished = true;
    });
    delay(20ms);
    EXPECT_FALSE(sleeper.is_finished());
    sleeper.cancel();
    EXPECT_THROW(await(sleeper), Cancelled);
    EXPECT_FALSE(finished);
  });
}

TEST_P(ExtremeDuration, MaxIntervalDoesNotTick) {
  run([] {
    auto ticking = spawn([] { Interval(kForever).wait(); });
    delay(20ms);
    EXPECT_FALSE(ticking.is_finished());
    ticking.cancel();
  });
}

TEST_P(ExtremeDuration, WaitWithMaxTimeoutEndsByEvent) {
  run([] {
    auto event = ManualEvent::make();
    auto waiter = spawn([&] {
      Event* events[] = {event.get()};
      return wait_any(events, kForever);
    });
    delay(5ms);
    event->fire();
    EXPECT_EQ(await(waiter), 0u);
  });
}

// CXL-04
TEST_P(ExtremeDuration, MaxTimeoutTokenDoesNotFire) {
  run([] {
    auto task = spawn([] {
      delay(5ms);
      return 7;
    });
    EXPECT_EQ(await(task, timeout(kForever)), 7);
  });
}

// CXL-04 SUS-02
TEST_P(ExtremeDuration, ZeroOrNegativeTimeoutTokenHasFired) {
  run([] {
    auto slow = spawn([] { delay(24h); });
    for (std::chrono::nanoseconds duration : {0ns, std::chrono::nanoseconds(-1s), std::chrono::nanoseconds::min()}) {
      try {
        await(slow, timeout(duration));
        ADD_FAILURE() << "await() must throw";
      } catch (const OperationCancelled& cancelled) {
        EXPECT_THROW(std::rethrow_exception(cancelled.cause()), TimeoutError);
      }
    }
    EXPECT_FALSE(slow.is_finished());
    slow.cancel();
  });
}

// IO-08
TEST(Poll, ClosedReadEndMakesPipeWritable) {
  int pipe_fds[2];
  ASSERT_EQ(::pipe(pipe_fds), 0);
  ::close(pipe_fds[0]);
  run([&] { EXPECT_EQ(poll(pipe_fds[1], Readiness::writable, kForever), Readiness::writable); });
  ::close(pipe_fds[1]);
}

}  // namespace
}  // namespace trueasync::test
