#include "trueasync/sync/retry.hpp"

#include <gtest/gtest.h>

#include "trueasync/testing.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

std::chrono::milliseconds ms(std::chrono::nanoseconds time) {
  return std::chrono::round<std::chrono::milliseconds>(time);
}

TEST(Retry, DelayMayBeMaximumDuration) {
  using std::chrono::nanoseconds;
  Backoff same({.initial_delay = nanoseconds::max(), .max_delay = nanoseconds::max(), .jitter = 0});
  Backoff grown({.initial_delay = 1s, .max_delay = nanoseconds::max(), .factor = 1e12, .jitter = 0});
  grown.next();
  for (Backoff* backoff : {&same, &grown}) EXPECT_GT(backoff->next(), 24h * 365 * 100);
}

TEST(Retry, DelaysGrowAndLastErrorIsThrown) {
  testing::Simulation simulation;
  simulation.run([&] {
    std::vector<std::chrono::milliseconds> calls;
    const RetryOptions options{.attempts = 5, .initial_delay = 100ms, .max_delay = 400ms, .factor = 2, .jitter = 0};
    EXPECT_THROW(retry(options,
                       [&] {
                         calls.push_back(ms(simulation.now()));
                         throw std::runtime_error("again");
                       }),
                 std::runtime_error);
    EXPECT_EQ(calls, (std::vector<std::chrono::milliseconds>{0ms, 100ms, 300ms, 700ms, 1100ms}));
  });
}

TEST(Retry, FirstSuccessEndsRetries) {
  testing::Simulation simulation;
  simulation.run([&] {
    int calls = 0;
    EXPECT_EQ(retry([&] {
                if (++calls < 3) throw std::runtime_error("not yet");
                return calls;
              }),
              3);
  });
}

// CXL-02
TEST(Retry, CancellationAndRejectedErrorsAreNotRetried) {
  testing::Simulation simulation;
  simulation.run([&] {
    int calls = 0;
    auto task = spawn([&] {
      retry([&] {
        ++calls;
        delay(1h);
      });
    });
    delay(1s);
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(calls, 1);
    RetryOptions options;
    options.retry_if = [](const std::exception_ptr&) { return false; };
    EXPECT_THROW(retry(options,
                       [&] {
                         ++calls;
                         throw std::logic_error("permanent");
                       }),
                 std::logic_error);
    EXPECT_EQ(calls, 2);
  });
}

// CXL-04
TEST(Retry, ExpiredTimeoutTokenIsRetried) {
  testing::Simulation simulation;
  simulation.run([&] {
    int calls = 0;
    auto never = Promise<void>();
    EXPECT_THROW(retry([&] {
                   ++calls;
                   await(never.future(), timeout(1s));
                 }),
                 OperationCancelled);
    EXPECT_EQ(calls, 3);
    Promise<void> stop;
    stop.complete();
    EXPECT_THROW(retry([&] {
                   ++calls;
                   await(never.future(), stop.future().event());
                 }),
                 OperationCancelled);
    EXPECT_EQ(calls, 4);  // a token other than a timeout is a request to stop
  });
}

TEST(Retry, JitterShortensDelaysBySeed) {
  const RetryOptions options{.initial_delay = 100ms, .max_delay = 1s, .jitter = 0.5, .seed = 7};
  Backoff one(options), same(options);
  for (auto full : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
    const auto delay = one.next();
    EXPECT_EQ(delay, same.next());
    EXPECT_LE(delay, full);
    EXPECT_GE(delay, full / 2);
  }
}

}  // namespace
}  // namespace trueasync
