// Times at the limits: more than a clock can count is "never", nothing or less is "now". And descriptors in trouble.
#include <gtest/gtest.h>
#include <unistd.h>

#include "manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
constexpr auto kForever = std::chrono::nanoseconds::max();

class TimeLimits : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(TimeLimits);

TEST_P(TimeLimits, DelayForEverEndsByCancellationOnly) {
  run([] {
    bool over = false;
    auto sleeper = spawn([&] {
      delay(kForever);
      over = true;
    });
    delay(20ms);
    EXPECT_FALSE(sleeper.is_finished());
    sleeper.cancel();
    EXPECT_THROW(await(sleeper), Cancelled);
    EXPECT_FALSE(over);
  });
}

TEST_P(TimeLimits, IntervalOfForEverDoesNotTick) {
  run([] {
    auto ticking = spawn([] { Interval(kForever).wait(); });
    delay(20ms);
    EXPECT_FALSE(ticking.is_finished());
    ticking.cancel();
  });
}

TEST_P(TimeLimits, WaitWithALimitOfForEverEndsByItsEvent) {
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
TEST_P(TimeLimits, TimeoutOfForEverDoesNotFire) {
  run([] {
    auto task = spawn([] {
      delay(5ms);
      return 7;
    });
    EXPECT_EQ(await(task, timeout(kForever)), 7);
  });
}

// CXL-04 SUS-02
TEST_P(TimeLimits, TimeoutOfNothingHasAlreadyFired) {
  run([] {
    auto slow = spawn([] { delay(24h); });
    for (std::chrono::nanoseconds duration : {0ns, std::chrono::nanoseconds(-1s), std::chrono::nanoseconds::min()}) {
      try {
        await(slow, timeout(duration));
        ADD_FAILURE() << "it must not end well";
      } catch (const OperationCancelled& cancelled) {
        EXPECT_THROW(std::rethrow_exception(cancelled.cause()), TimeoutError);
      }
    }
    EXPECT_FALSE(slow.is_finished());
    slow.cancel();
  });
}

// IO-08
TEST(Poll, AWriterWhoseReaderHasGoneIsReady) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  run([&] { EXPECT_EQ(poll(ends[1], Readiness::writable, kForever), Readiness::writable); });
  ::close(ends[1]);
}

}  // namespace
}  // namespace trueasync::test
