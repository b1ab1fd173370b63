#include <gtest/gtest.h>

#include <cmath>

#include "trueasync/rate_limiter.hpp"
#include "trueasync/retry.hpp"
#include "trueasync/testing.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

std::chrono::milliseconds ms(std::chrono::nanoseconds time) {
  return std::chrono::round<std::chrono::milliseconds>(time);
}

TEST(RateLimiter, LetsABurstPassAndThenKeepsTheRate) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    RateLimiter limiter({.per_second = 10, .burst = 3});
    for (int i = 0; i < 3; ++i) limiter.acquire();
    EXPECT_EQ(simulation.now(), 0ns);
    EXPECT_FALSE(limiter.try_acquire());
    for (int i = 0; i < 5; ++i) limiter.acquire();
    EXPECT_EQ(ms(simulation.now()), 500ms);
    delay(10s);
    EXPECT_DOUBLE_EQ(limiter.available(), 3);  // not more than the burst
  });
}

TEST(RateLimiter, ServesInOrderAndALeaverTakesNothing) {
  // R1
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    RateLimiter limiter({.per_second = 1, .burst = 2});
    limiter.acquire(2);
    std::vector<int> order;
    std::vector<Task<void>> all;
    for (int i = 0; i < 3; ++i) {
      all.push_back(spawn([&, i] {
        limiter.acquire(i == 0 ? 2 : 1);
        order.push_back(i);
      }));
    }
    delay(1500ms);
    EXPECT_FALSE(limiter.try_acquire());  // enough for one, but others are first
    all[0].cancel();
    for (int i : {1, 2}) await(all[static_cast<std::size_t>(i)]);
    EXPECT_EQ(order, (std::vector<int>{1, 2}));
    EXPECT_EQ(ms(simulation.now()), 2000ms);
  });
}

TEST(RateLimiter, ALimitEndsTheWait) {
  testing::Simulation simulation;
  simulation.run([&] {
    RateLimiter limiter({.per_second = 1, .burst = 1});
    limiter.acquire();
    EXPECT_THROW(limiter.acquire(1, 100ms), TimeoutError);
    EXPECT_EQ(ms(simulation.now()), 100ms);
    limiter.acquire(1, 900ms);
    EXPECT_THROW(limiter.acquire(2), MisuseError);
  });
  EXPECT_THROW(RateLimiter({.per_second = 0}), MisuseError);
}

TEST(RateLimiter, NobodyCanPutSomethingIn) {
  testing::Simulation simulation;
  simulation.run([&] {
    RateLimiter limiter({.per_second = 1, .burst = 2});
    EXPECT_THROW(limiter.acquire(-1), MisuseError);
    EXPECT_THROW(limiter.try_acquire(-1), MisuseError);
    EXPECT_THROW(limiter.acquire(std::nan("")), MisuseError);
    limiter.acquire(0);
    EXPECT_DOUBLE_EQ(limiter.available(), 2);
  });
}

TEST(RateLimiter, AWaitLongerThanTimeCanTellEndsByItsLimit) {
  testing::Simulation simulation;
  simulation.run([&] {
    RateLimiter limiter({.per_second = 1e-12, .burst = 1});
    limiter.acquire();
    EXPECT_THROW(limiter.acquire(1, 1h), TimeoutError);
    EXPECT_EQ(simulation.now(), 1h);
  });
}

TEST(Retry, APauseMayBeAsLongAsTimeCanTell) {
  using std::chrono::nanoseconds;
  Backoff same({.initial_delay = nanoseconds::max(), .max_delay = nanoseconds::max(), .jitter = 0});
  Backoff grown({.initial_delay = 1s, .max_delay = nanoseconds::max(), .factor = 1e12, .jitter = 0});
  grown.next();
  for (Backoff* backoff : {&same, &grown}) EXPECT_GT(backoff->next(), 24h * 365 * 100);
}

TEST(Retry, PausesGrowAndTheLastErrorGoesOut) {
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

TEST(Retry, EndsWithTheFirstSuccess) {
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

TEST(Retry, NeitherCancellationNorRefusedErrorsAreRetried) {
  // CXL-02
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
                         throw std::logic_error("no use");
                       }),
                 std::logic_error);
    EXPECT_EQ(calls, 2);
  });
}

TEST(Retry, ATimeoutThatWasGivenAsTokenIsAFailure) {
  // CXL-04
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
    EXPECT_EQ(calls, 4);  // that was asked for
  });
}

TEST(Retry, JitterShortensPausesBySeed) {
  const RetryOptions options{.initial_delay = 100ms, .max_delay = 1s, .jitter = 0.5, .seed = 7};
  Backoff one(options), same(options);
  for (auto full : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
    const auto pause = one.next();
    EXPECT_EQ(pause, same.next());
    EXPECT_LE(pause, full);
    EXPECT_GE(pause, full / 2);
  }
}

}  // namespace
}  // namespace trueasync
